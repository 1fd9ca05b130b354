import { parseArgs } from 'node:util';
import { ConformanceError } from '../model/errors.js';
import { RULE_IDS, type RuleId } from '../model/verdict.js';
import { suggest } from './suggest.js';

export const FORMATS = ['pretty', 'json', 'sarif', 'github'] as const;
export type Format = (typeof FORMATS)[number];

export interface CommandLine {
  readonly paths: readonly string[];
  readonly projects: readonly string[];
  readonly format: Format;
  readonly output: string | null;
  readonly isStrict: boolean;
  /** Empty for all. */
  readonly rules: readonly RuleId[];
  readonly listTools: boolean;
  readonly explain: RuleId | null;
  readonly config: string | null;
  readonly baseline: string | null;
  readonly updateBaseline: boolean;
  readonly updateManifest: boolean;
  readonly help: boolean;
  readonly version: boolean;
}

const OPTIONS = {
  project: { type: 'string', short: 'p', multiple: true },
  format: { type: 'string', multiple: true },
  output: { type: 'string', short: 'o', multiple: true },
  strict: { type: 'boolean' },
  rule: { type: 'string', multiple: true },
  'list-tools': { type: 'boolean' },
  explain: { type: 'string', multiple: true },
  config: { type: 'string', multiple: true },
  baseline: { type: 'string', multiple: true },
  'update-baseline': { type: 'boolean' },
  'update-manifest': { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'v' },
} as const;

type OptionName = keyof typeof OPTIONS;
const OPTION_NAMES = Object.keys(OPTIONS) as readonly OptionName[];

/**
 * Reads the arguments of the command.
 *
 * @throws ConformanceError with code `BAD_ARGUMENTS`
 */
export function parseCommandLine(args: readonly string[]): CommandLine {
  const { tokens } = parseArgs({
    args: [...args],
    options: OPTIONS,
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  const values = new Map<OptionName, string[]>();
  const paths: string[] = [];
  for (const token of tokens) {
    if (token.kind === 'positional') {
      paths.push(token.value);
    } else if (token.kind === 'option') {
      const name = optionName(token.name, token.rawName);
      values.set(name, [...(values.get(name) ?? []), valueOf(name, token.rawName, token.value)]);
    }
  }
  const format = single(values, 'format') ?? 'pretty';
  return {
    paths,
    projects: values.get('project') ?? [],
    format: oneOf('--format', format, FORMATS),
    output: single(values, 'output'),
    isStrict: values.has('strict'),
    rules: (values.get('rule') ?? []).map((id) => oneOf('--rule', id, RULE_IDS)),
    listTools: values.has('list-tools'),
    explain: mapNullable(single(values, 'explain'), (id) => oneOf('--explain', id, RULE_IDS)),
    config: single(values, 'config'),
    baseline: single(values, 'baseline'),
    updateBaseline: values.has('update-baseline'),
    updateManifest: values.has('update-manifest'),
    help: values.has('help'),
    version: values.has('version'),
  };
}

/** The format that was asked for, read leniently, so that an error in the rest is told in it. */
export function wantedFormat(args: readonly string[]): Format {
  const written = args.flatMap((arg, index) => {
    if (arg === '--format') {
      return [args[index + 1]];
    }
    return arg.startsWith('--format=') ? [arg.slice('--format='.length)] : [];
  });
  return FORMATS.find((format) => written.includes(format)) ?? 'pretty';
}

function optionName(name: string, rawName: string): OptionName {
  const known = OPTION_NAMES.find((one) => one === name);
  if (known === undefined) {
    throw badArguments(
      `Unknown option ${rawName}.${suggest(
        rawName,
        OPTION_NAMES.map((one) => `--${one}`),
      )} See --help.`,
    );
  }
  return known;
}

function valueOf(name: OptionName, rawName: string, value: string | undefined): string {
  if (OPTIONS[name].type === 'boolean') {
    if (value !== undefined) {
      throw badArguments(`${rawName} takes no value, found ${JSON.stringify(value)}.`);
    }
    return '';
  }
  // `-p --strict` is a forgotten value, not a file called `--strict`.
  if (value === undefined || value === '' || value.startsWith('-')) {
    throw badArguments(
      `${rawName} needs a value${value === undefined || value === '' ? '' : `, found ${value}`}.`,
    );
  }
  return value;
}

function single(values: ReadonlyMap<OptionName, readonly string[]>, name: OptionName): string | null {
  const given = values.get(name) ?? [];
  if (given.length > 1) {
    throw badArguments(`--${name} can be given once, found ${given.join(', ')}.`);
  }
  return given[0] ?? null;
}

function oneOf<T extends string>(option: string, value: string, allowed: readonly T[]): T {
  const found = allowed.find((one) => one === value);
  if (found === undefined) {
    throw badArguments(
      `${option} expects one of ${allowed.join(', ')}, found ${JSON.stringify(value)}.${suggest(value, allowed)}`,
    );
  }
  return found;
}

function mapNullable<T, U>(value: T | null, map: (value: T) => U): U | null {
  return value === null ? null : map(value);
}

function badArguments(message: string): ConformanceError {
  return new ConformanceError('BAD_ARGUMENTS', message);
}
