import { jsonFilesIn, readJson } from '../load/read-data.js';
import {
  alternativesOf,
  constant,
  inputOf,
  isAbsent,
  isSaidByModel,
  textOf,
  textPartsOf,
  UNKNOWN,
  type AbstractValue,
} from '../model/abstract-value.js';
import type { CommandFile, CommandRule } from '../model/command-file.js';
import { findOption, readCommandLine, type CommandLine } from './command-line.js';
import { classifyHttp } from './http.js';
import {
  cannotSay,
  dependsOn,
  joinAlternatives,
  joinSequence,
  judgementOf,
  labelOf,
  reads,
  worseOf,
  writes,
  type Judgement,
} from './judgement.js';
import { judgeProgramText } from './program-text.js';
import { readShell } from './shell-text.js';
import { readVerbs } from './shipped-verbs.js';
import { classifySql } from './sql.js';
import { isTemporaryPath } from './temporary-path.js';

const MAX_DEPTH = 8;

/** What running a program with arguments does. `shell` as in Node's options: with it the file is shell text. */
export function classifyCommand(
  file: AbstractValue,
  args: AbstractValue,
  shell: AbstractValue = constant(undefined),
): Judgement {
  const alternatives = alternativesOf(file).map((one) => ({
    label: labelOf(one),
    judgement: runFile(one, args, shell),
  }));
  return joinAlternatives(alternatives, '0', inputOf(file));
}

/**
 * What running shell text does: all of its commands and redirections. Holes are single words, but for those
 * that the model's input fills: `; rm -rf /` fits into them as well.
 */
export function classifyShell(text: AbstractValue): Judgement {
  const alternatives = alternativesOf(text).map((one) => ({
    label: labelOf(one),
    judgement: openTo(one, runShell(one, 0)),
  }));
  return joinAlternatives(alternatives, '0', inputOf(text));
}

function openTo(text: AbstractValue, judgement: Judgement): Judgement {
  return inputOf(text) === null || judgement.effect !== 'none'
    ? judgement
    : dependsOn(
        text,
        '0',
        cannotSay('local', 'the shell text takes in what a model says'),
        'holds a command that writes',
      );
}

function runFile(file: AbstractValue, args: AbstractValue, shell: AbstractValue): Judgement {
  const name = textOf(file);
  if (
    name === null &&
    listOf(args).list.length > 0 &&
    asksOnlyWhatItIs(listOf(args).list, listOf(args).isOpen)
  )
    return reads('local', 'read', 'a program is asked for its version or help', 'by-name');
  if (name === null)
    return dependsOn(file, '0', cannotSay('local', 'the command is not known'), 'runs a command that writes');
  const { list, isOpen } = listOf(args);
  const isShell = !isAbsent(shell) && !(shell.kind === 'constant' && shell.value === false);
  if (isShell && /\s/.test(name.trim())) {
    const words = list.flatMap((one) => [constant(' '), one]);
    return runShell({ kind: 'template', parts: [file, ...words, ...(isOpen ? [UNKNOWN] : [])] }, 0);
  }
  return runProgram(name, list, isOpen, 0);
}

function listOf(args: AbstractValue): { readonly list: readonly AbstractValue[]; readonly isOpen: boolean } {
  if (args.kind === 'array') return { list: args.elements, isOpen: args.isOpen };
  return { list: [], isOpen: !isAbsent(args) && args.kind !== 'object' && args.kind !== 'function' };
}

/** Runs shell text: its programs by their rules, its redirections as writes. */
function runShell(text: AbstractValue, depth: number): Judgement {
  const script = readShell(text);
  if (script === null || depth > MAX_DEPTH) {
    return dependsOn(
      text,
      '0',
      cannotSay('local', 'the shell text is not known'),
      'is a command that writes',
    );
  }
  const judgements = script.commands.map((command) =>
    command.name === null
      ? dependsOn(text, '0', cannotSay('local', 'the command is not known'), 'is a command that writes')
      : runProgram(command.name, command.arguments, command.isOpen, depth + 1),
  );
  for (const redirect of script.redirects) {
    if (isTemporaryPath(redirect.target)) continue;
    judgements.push(
      redirect.isAppending
        ? writes('local', 'append', 'the shell text appends to a file')
        : writes('local', 'set', 'the shell text writes a file'),
    );
  }
  return joinSequence(judgements, reads('nothing', 'pure', 'the shell text runs nothing'));
}

function runProgram(file: string, args: readonly AbstractValue[], isOpen: boolean, depth: number): Judgement {
  const name = programName(file);
  const rule = commandRules().get(name);
  if (rule === undefined && asksOnlyWhatItIs(args, isOpen))
    return reads('local', 'read', `${name.slice(0, 40)} is asked for its version or help`, 'by-name');
  if (rule === undefined)
    return cannotSay('local', `the command ${name.slice(0, 40)} is not in the catalogue`);
  if (depth > MAX_DEPTH) return cannotSay('local', 'commands are nested too deeply');
  return applyRule(rule, name, args, isOpen, depth);
}

/** `anything --version`: by convention (GNU Coding Standards, 4.8) a program then says what it is, and ends. */
function asksOnlyWhatItIs(args: readonly AbstractValue[], isOpen: boolean): boolean {
  const [only, ...more] = args;
  return (
    !isOpen && more.length === 0 && only !== undefined && /^(--version|--help|-V)$/.test(textOf(only) ?? '')
  );
}

/** `/usr/bin/git`, `git.exe` and `git` are one program; `npx prettier@3` names a version. */
function programName(file: string): string {
  const base = file.trim().slice(Math.max(file.trim().lastIndexOf('/'), file.trim().lastIndexOf('\\')) + 1);
  return base.replace(/\.(exe|cmd|bat)$/i, '').replace(/^([^@]+)@[\w.^~-]+$/, '$1');
}

function applyRule(
  rule: CommandRule,
  label: string,
  args: readonly AbstractValue[],
  isOpen: boolean,
  depth: number,
): Judgement {
  const line = readCommandLine(args, wordSet(rule.valueOptions), isOpen);
  if (rule.shellOption !== undefined) {
    const text = optionValue(args, wordSet(rule.shellOption));
    if (text !== null) return runShell(text, depth + 1);
  }
  if (rule.wraps !== undefined) return runWrapped(rule, rule.wraps, label, args, line, depth);
  if (rule.subcommands !== undefined) {
    const sub = applySubcommand(rule, rule.subcommands, label, args, line, depth);
    if (sub !== null) return sub;
  }
  if (rule.sql !== undefined) return runSql(rule.sql, label, args, line);
  if (rule.http !== undefined) return runHttp(rule.http, line);
  return applyOutcome(rule, label, line);
}

function applySubcommand(
  rule: CommandRule,
  subcommands: Readonly<Record<string, CommandRule>>,
  label: string,
  args: readonly AbstractValue[],
  line: CommandLine,
  depth: number,
): Judgement | null {
  const [first] = line.positionals;
  const [index] = line.positionalIndices;
  if (first === undefined || index === undefined) {
    if (line.isOpen) return dependsOn(UNKNOWN, '1', worstOf(rule, label), 'name a subcommand that writes');
    return rule.bare === undefined ? null : judgementOf(rule.bare, `${label} without a subcommand`);
  }
  const alternatives = [];
  for (const one of alternativesOf(first)) {
    const name = textOf(one);
    if (name === null) return dependsOn(first, '1', worstOf(rule, label), 'names a subcommand that writes');
    const found = subcommandNamed(subcommands, name);
    const judgement =
      found === null
        ? (readPositionalVerb(rule, line) ?? applyOutcome(rule, `${label} ${name}`, line))
        : applyRule(found, `${label} ${name}`, args.slice(index + 1), line.isOpen, depth);
    alternatives.push({ label: name, judgement });
  }
  return joinAlternatives(alternatives, '1', inputOf(first));
}

/** `aws ec2 describe-instances`, `gcloud compute instances list`: by the first word that is a verb. */
function readPositionalVerb(rule: CommandRule, line: CommandLine): Judgement | null {
  if (rule.verbFrom === undefined) return null;
  for (const positional of line.positionals.slice(rule.verbFrom)) {
    const word = textOf(positional);
    if (word === null)
      return dependsOn(positional, '1', cannotSay('remote', 'the operation is not known'), 'writes');
    const judgement = readVerbs().judge(word, 'remote');
    if (judgement.effect !== 'unknown' && judgement.kind !== 'pure') return judgement;
  }
  return null;
}

/** The worst that any subcommand does, for a subcommand that is not known. */
function worstOf(rule: CommandRule, label: string): Judgement {
  const outcomes = Object.values(rule.subcommands ?? {}).filter(
    ({ effect }) => effect !== undefined && effect !== 'none',
  );
  return outcomes
    .map((outcome) => judgementOf({ ...outcome, effect: outcome.effect ?? 'unknown' }, label))
    .reduce(worseOf, cannotSay('local', label));
}

function subcommandNamed(
  subcommands: Readonly<Record<string, CommandRule>>,
  name: string,
): CommandRule | null {
  for (const [names, rule] of Object.entries(subcommands)) if (wordSet(names).has(name)) return rule;
  return null;
}

function applyOutcome(rule: CommandRule, label: string, line: CommandLine): Judgement {
  const base = judgementOf(
    { ...rule, effect: rule.effect ?? 'unknown', touches: rule.touches ?? 'local' },
    label,
  );
  for (const flag of rule.flags ?? []) {
    if (findOption(line, wordSet(flag.any)) !== null)
      return withTargets(judgementOf(flag, `${label} ${flag.any.split(' ')[0] ?? ''}`), rule, line);
  }
  const positional = (rule.positionals ?? []).find(({ min }) => line.positionals.length >= min);
  if (positional !== undefined) return withTargets(judgementOf(positional, label), rule, line);
  const worst = [...(rule.flags ?? []), ...(rule.positionals ?? [])]
    .map((outcome) => judgementOf(outcome, label))
    .reduce(worseOf, base);
  if (line.isOpen && base.effect === 'none' && worst.effect !== 'none') {
    return dependsOn(UNKNOWN, '1', worst, 'hold an option that writes');
  }
  if (rule.program !== undefined && base.effect === 'none') {
    const { language, option } = rule.program;
    const given = option === undefined ? null : findOption(line, wordSet(option));
    const acting = judgeProgramText(given?.value ?? line.positionals[0], language);
    if (acting !== null) return acting;
  }
  return mayBeOption(line, base, worst) ? { ...base, confidence: 'by-name' } : withTargets(base, rule, line);
}

/** What a model says, where an option can stand, may be the option that writes: `--output=file`. */
function mayBeOption(line: CommandLine, base: Judgement, worst: Judgement): boolean {
  return (
    base.effect === 'none' &&
    worst.effect !== 'none' &&
    line.positionals.some(
      (one, index) =>
        (line.positionalIndices[index] ?? 0) < line.dashes &&
        textPartsOf(one)?.[0] === '' &&
        isSaidByModel(one),
    )
  );
}

function withTargets(judgement: Judgement, rule: CommandRule, line: CommandLine): Judgement {
  if (judgement.effect !== 'local' || rule.targets === undefined || line.positionals.length === 0)
    return judgement;
  const targets = rule.targets === 'last' ? line.positionals.slice(-1) : line.positionals;
  return targets.every((target) => isTemporaryPath(target)) && !line.isOpen
    ? reads('local', 'temporary', 'what it writes lies in the temporary folder')
    : judgement;
}

function runWrapped(
  rule: CommandRule,
  skipped: number,
  label: string,
  args: readonly AbstractValue[],
  line: CommandLine,
  depth: number,
): Judgement {
  const isAssignment = (value: AbstractValue): boolean => /^\w+=/.test(textOf(value) ?? '');
  const starts = line.positionalIndices.filter((index) => !isAssignment(args[index] ?? UNKNOWN));
  const start = starts[skipped];
  if (start === undefined) {
    if (line.isOpen) return cannotSay('local', `what ${label} runs is not known`);
    return rule.bare === undefined
      ? cannotSay('local', `${label} runs nothing that is known`)
      : judgementOf(rule.bare, label);
  }
  const file = args[start] ?? UNKNOWN;
  const name = textOf(file);
  if (name === null)
    return dependsOn(
      file,
      '1',
      cannotSay('local', `what ${label} runs is not known`),
      'runs a command that writes',
    );
  return runProgram(name, args.slice(start + 1), line.isOpen, depth + 1);
}

function runSql(
  sql: NonNullable<CommandRule['sql']>,
  label: string,
  args: readonly AbstractValue[],
  line: CommandLine,
): Judgement {
  const byOption = sql.option === undefined ? null : optionValue(args, wordSet(sql.option));
  const text = byOption ?? (sql.positional === undefined ? undefined : line.positionals[sql.positional]);
  if (text === undefined) return cannotSay(sql.where, `what ${label} runs is not known`);
  const value = textOf(text);
  // Dot and backslash commands belong to the client; those that only show things are the usual ones.
  if (value !== null && /^\s*(\.(tables|schema|databases|indexes|mode|headers)|\\[dlz])/.test(value)) {
    return reads(sql.where, 'read', `${label} shows the schema`);
  }
  return classifySql(text, { dialect: sql.dialect, where: sql.where });
}

function runHttp(http: NonNullable<CommandRule['http']>, line: CommandLine): Judgement {
  const method = findOption(line, wordSet(http.method));
  const body = findOption(line, wordSet(http.body));
  const isUpload = http.upload !== undefined && findOption(line, wordSet(http.upload)) !== null;
  const isSafe = http.safe !== undefined && findOption(line, wordSet(http.safe)) !== null;
  const url = line.positionals[http.url] ?? UNKNOWN;
  const request = classifyHttp(
    {
      method: method?.value ?? constant(undefined),
      methodPlace: '1',
      defaultMethod: isSafe ? 'GET' : isUpload ? 'PUT' : body === null ? 'GET' : 'POST',
      url,
      body: graphqlBody(url, line, wordSet(http.body)),
      headers: UNKNOWN,
    },
    readVerbs(),
  );
  const output = http.output === undefined ? null : findOption(line, wordSet(http.output));
  const isKept =
    output !== null && !isTemporaryPath(output.value ?? UNKNOWN) && textOf(output.value ?? UNKNOWN) !== '-';
  return isKept ? worseOf(request, writes('local', 'set', 'it saves the answer into a file')) : request;
}

/** `gh api graphql -f query='…'`, `curl …/graphql -d '{"query":"…"}'`. */
function graphqlBody(url: AbstractValue, line: CommandLine, bodyOptions: ReadonlySet<string>): AbstractValue {
  if (!(textOf(url) ?? '').endsWith('graphql')) return UNKNOWN;
  for (const { name, value } of line.options) {
    const text = value === null || !bodyOptions.has(name) ? null : textOf(value);
    const document = text === null ? undefined : (/^query=([\s\S]+)$/.exec(text)?.[1] ?? jsonQuery(text));
    if (document !== undefined)
      return { kind: 'object', properties: { query: constant(document) }, isOpen: true };
  }
  return UNKNOWN;
}

function jsonQuery(text: string): string | undefined {
  try {
    const parsed = JSON.parse(text) as unknown;
    const query =
      typeof parsed === 'object' && parsed !== null && 'query' in parsed ? parsed.query : undefined;
    return typeof query === 'string' ? query : undefined;
  } catch {
    return undefined;
  }
}

/** The argument behind an option, wherever it stands, or glued to it by `=`; the shell's `-lc` counts as `-c`. */
function optionValue(args: readonly AbstractValue[], names: ReadonlySet<string>): AbstractValue | null {
  for (const [index, argument] of args.entries()) {
    const text = textOf(argument);
    if (text === null) continue;
    const equals = text.indexOf('=');
    if (equals !== -1 && names.has(text.slice(0, equals))) return constant(text.slice(equals + 1));
    const isBundle =
      /^-[a-z]{2,4}$/.test(text) &&
      [...names].some((name) => name.length === 2 && text.endsWith(name.slice(1)));
    if (names.has(text) || isBundle) return args[index + 1] ?? null;
  }
  return null;
}

let rules: ReadonlyMap<string, CommandRule> | null = null;

function commandRules(): ReadonlyMap<string, CommandRule> {
  if (rules !== null) return rules;
  const byName = new Map<string, CommandRule>();
  for (const name of jsonFilesIn('commands')) {
    const file = readJson(`commands/${name}`) as CommandFile;
    for (const [names, rule] of Object.entries(file.commands)) {
      for (const command of wordSet(names)) byName.set(command, rule);
    }
  }
  rules = byName;
  return byName;
}

const wordSets = new Map<string, ReadonlySet<string>>();

function wordSet(words: string | undefined): ReadonlySet<string> {
  const text = words ?? '';
  let set = wordSets.get(text);
  if (set === undefined) {
    set = new Set(text.split(' ').filter((word) => word !== ''));
    wordSets.set(text, set);
  }
  return set;
}
