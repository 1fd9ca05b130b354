import { findArgument, type CarriedProperty, type FoundArgument } from '../lookup/argument-place.js';
import { globExpression, matchWeight, parseNames } from '../lookup/name-pattern.js';
import {
  alternativesOf,
  constant,
  inputOf,
  isAbsent,
  textOf,
  UNKNOWN,
  type AbstractValue,
} from '../model/abstract-value.js';
import type { EffectKind } from '../model/effect.js';
import type { CallFacts } from '../model/classification.js';
import type { Decision, OutcomeRule } from '../model/library-file.js';
import { classifyCommand, classifyShell } from './command.js';
import { classifyGraphql } from './graphql.js';
import { classifyHttp, judgeKeyed } from './http.js';
import { judgeKeys } from './key-search.js';
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
import { classifyOpenFlag } from './open-flag.js';
import { classifySql } from './sql.js';
import { mayLeaveByInput, isTemporaryPath, type YieldedPath } from './temporary-path.js';
import type { VerbReader } from './verb.js';

/** What judging a rule needs to know beyond the rule and the call. */
export interface RuleContext {
  readonly verbs: VerbReader;
  readonly carried: CarriedProperty;
  readonly yielded: YieldedPath;
  /** What sending a made value does; null when its class says nothing of it. */
  readonly sent: (made: Extract<AbstractValue, { kind: 'made' }>) => Judgement | null;
}

/** What a call does by a rule of the catalogue. `label` names the function in the reason. */
export function judgeRule(
  rule: OutcomeRule,
  label: string,
  call: CallFacts,
  context: RuleContext,
  /** The name that a decision by verb reads when it names no argument. */
  ownName = '',
): Judgement {
  const decided = rule.decide === undefined ? null : decide(rule.decide, call, context, label, ownName);
  const stated = decided ?? judgementOf({ ...rule, effect: rule.effect ?? 'none' }, reasonOf(rule, label));
  const placed = rule.paths !== undefined ? exemptTemporary(stated, rule.paths, call, context) : stated;
  const keyed =
    rule.idempotencyKey !== undefined ? withKey(placed, rule.idempotencyKey, call, context) : placed;
  return rule.refine !== undefined ? refine(keyed, rule, call) : keyed;
}

function decide(
  decision: Decision,
  call: CallFacts,
  context: RuleContext,
  label: string,
  ownName: string,
): Judgement {
  const find = (places: string | undefined): { readonly value: AbstractValue; readonly place: string } =>
    findArgument(places ?? '', call, context.carried);
  switch (decision.by) {
    case 'http':
      return decideHttp(decision, find, context);
    case 'sql':
      return decideSql(decision, find(decision.text), call);
    case 'graphql':
      return decideGraphql(decision, find(decision.document).value);
    case 'command': {
      const file =
        decision.program === undefined
          ? find(decision.file)
          : { value: constant(decision.program), place: '' };
      const shell = find(decision.shell);
      return classifyCommand(file.value, find(decision.arguments).value, shell.value);
    }
    case 'shell':
      return classifyShell(find(decision.text).value);
    case 'flag': {
      const { value, place } = find(decision.flag);
      return classifyOpenFlag(value, place, decision.defaultFlag);
    }
    case 'value': {
      const { value, place } = find(decision.value);
      return decideValue(decision, value, place, label);
    }
    case 'presence': {
      const { value, place } = find(decision.value);
      if (isAbsent(value) || isFalse(value)) return judgementOf(decision.absent, label);
      if (value.kind === 'unknown' || value.kind === 'input')
        return undecidedPresence(decision, value, place, label);
      return judgementOf(decision.present, label);
    }
    case 'keys':
      return judgeKeys(decision, find(decision.value).value, label);
    case 'made': {
      const { value, place } = find(decision.value);
      const alternatives = alternativesOf(value).map((one) => ({
        label: one.kind === 'made' ? (one.path[one.path.length - 1] ?? '') : 'something else',
        judgement:
          one.kind === 'made'
            ? (context.sent(one) ?? cannotSay('remote', label))
            : cannotSay('remote', label),
      }));
      const joined = joinAlternatives(alternatives, place, inputOf(value));
      return joined.effect === 'unknown'
        ? dependsOn(value, place, joined, 'is a request that writes')
        : joined;
    }
    case 'verb': {
      const { value, place } = find(decision.value);
      const names = decision.value === '' ? [ownName] : alternativesOf(value).map(textOf);
      if (names.some((name) => name === null)) {
        return dependsOn(value, place, writes(decision.where, 'write', label), 'names something that writes');
      }
      const alternatives = names.map((name) => ({
        label: name ?? '',
        judgement: context.verbs.judge(name ?? '', decision.where),
      }));
      return joinAlternatives(alternatives, place, inputOf(value));
    }
  }
}

function decideSql(
  decision: Extract<Decision, { by: 'sql' }>,
  { value, place }: FoundArgument,
  call: CallFacts,
): Judgement {
  if (decision.isTag === true && call.isTagged !== true) {
    return reads('nothing', 'pure', 'it makes a fragment of SQL');
  }
  const options = {
    where: decision.where,
    // A value made by a tag keeps its holes apart from the text.
    areHolesParameters:
      decision.areHolesParameters === true ||
      call.isTagged === true ||
      call.arguments.some(({ kind }) => kind === 'made'),
    ...(decision.dialect === undefined ? {} : { dialect: decision.dialect }),
  };
  const judge = (one: AbstractValue): Judgement => {
    if (one.kind !== 'array') return classifySql(prefixed(one, decision.prefix), options);
    const batch = joinSequence(
      one.elements.map((statement) => classifySql(textOfStatement(statement), options)),
      reads(decision.where, 'read', 'no statement is run'),
    );
    return one.isOpen && batch.effect === 'none'
      ? cannotSay(decision.where, 'not all statements are known')
      : batch;
  };
  const alternatives = alternativesOf(value).map((one) => ({ label: labelOf(one), judgement: judge(one) }));
  return joinAlternatives(alternatives, place, inputOf(value));
}

function prefixed(text: AbstractValue, prefix: string | undefined): AbstractValue {
  return prefix === undefined
    ? text
    : { kind: 'template', parts: [{ kind: 'constant', value: prefix }, text] };
}

/** The text in `{ sql, args }` of a batch. */
function textOfStatement(statement: AbstractValue): AbstractValue {
  if (statement.kind !== 'object') return statement;
  const { sql, text, query, q } = statement.properties;
  return sql ?? text ?? query ?? q ?? UNKNOWN;
}

function decideGraphql(decision: Extract<Decision, { by: 'graphql' }>, document: AbstractValue): Judgement {
  if (decision.operation === 'query') return reads('remote', 'read', 'it sends a query');
  const judgement = classifyGraphql(document);
  if (
    decision.operation !== 'mutation' ||
    (judgement.certainty === 'always' && judgement.effect === 'remote')
  ) {
    return judgement;
  }
  return writes('remote', 'write', 'it sends a mutation');
}

function decideHttp(
  decision: Extract<Decision, { by: 'http' }>,
  find: (places: string | undefined) => { readonly value: AbstractValue; readonly place: string },
  context: RuleContext,
): Judgement {
  const route = find(decision.route);
  const routeParts = textOf(route.value)?.split(' ');
  const isRoute = routeParts?.length === 2 && /^[A-Z]+$/.test(routeParts[0] ?? '');
  const method = find(decision.method);
  return classifyHttp(
    {
      method: isRoute ? { kind: 'constant', value: routeParts[0] } : method.value,
      methodPlace: isRoute ? route.place : method.place,
      defaultMethod: decision.defaultMethod ?? 'GET',
      url: isRoute ? { kind: 'constant', value: routeParts[1] } : find(decision.url).value,
      body: find(decision.body).value,
      headers: find(decision.headers).value,
    },
    context.verbs,
  );
}

function decideValue(
  decision: Extract<Decision, { by: 'value' }>,
  value: AbstractValue,
  place: string,
  label: string,
): Judgement {
  const worst = decision.cases
    .map((one) => judgementOf(one, label))
    .reduce(worseOf, writesAtWorst(decision, label));
  const alternatives = [];
  for (const one of alternativesOf(value)) {
    if (isAbsent(one) && decision.absent !== undefined) {
      alternatives.push({ label: 'absent', judgement: judgementOf(decision.absent, label) });
      continue;
    }
    const text = one.kind === 'constant' ? String(one.value) : textOf(one);
    if (text === null) {
      const writing = decision.cases
        .filter(({ effect }) => effect !== 'none')
        .flatMap(({ values }) => values);
      return dependsOn(
        value,
        place,
        worst,
        writing.length === 0 ? 'writes' : `is ${writing.slice(0, 6).join(', ')}`,
        {
          writesWhen: writing,
        },
      );
    }
    const match = decision.cases.find(({ values }) =>
      values.some((glob) => globExpression(glob, 'i').test(text)),
    );
    const outcome = match ?? decision.otherwise;
    const judgement =
      outcome === undefined
        ? cannotSay('remote', label)
        : judgementOf(outcome, `${label} with ${labelOf(one)}`);
    alternatives.push({ label: labelOf(one), judgement });
  }
  return joinAlternatives(alternatives, place, inputOf(value));
}

function writesAtWorst(decision: Extract<Decision, { by: 'value' }>, label: string): Judgement {
  return decision.otherwise === undefined
    ? cannotSay('remote', label)
    : judgementOf(decision.otherwise, label);
}

function undecidedPresence(
  decision: Extract<Decision, { by: 'presence' }>,
  value: AbstractValue,
  place: string,
  label: string,
): Judgement {
  const present = judgementOf(decision.present, label);
  const absent = judgementOf(decision.absent, label);
  if (present.effect === absent.effect) return worseOf(present, absent);
  return present.effect === 'none'
    ? dependsOn(value, place, absent, 'is not given')
    : dependsOn(value, place, present, 'is given');
}

/** A local write under the temporary folder is none. */
function exemptTemporary(
  judgement: Judgement,
  paths: string,
  call: CallFacts,
  context: RuleContext,
): Judgement {
  if (judgement.effect !== 'local') return judgement;
  const places = paths.split(' ');
  const isTemporary = places.every((place) =>
    isTemporaryPath(findArgument(place, call, context.carried).value, context.yielded),
  );
  if (isTemporary) return reads('local', 'temporary', 'what it writes lies in the temporary folder');
  for (const place of places) {
    const { value } = findArgument(place, call, context.carried);
    if (mayLeaveByInput(value, context.yielded)) {
      return dependsOn(value, place, judgement, 'leads out of the temporary folder');
    }
  }
  return judgement;
}

function withKey(judgement: Judgement, places: string, call: CallFacts, context: RuleContext): Judgement {
  if (judgement.effect !== 'remote') return judgement;
  const { value } = findArgument(places, call, context.carried);
  if (isAbsent(value) || value.kind === 'unknown') return judgement;
  const keyed = judgeKeyed(value);
  return { ...judgement, kind: keyed.kind, converges: keyed.converges, reason: keyed.reason };
}

/** A call chained later changes what the whole does: the first refinement that a chained call matches. */
function refine(judgement: Judgement, rule: OutcomeRule, call: CallFacts): Judgement {
  const chain = call.chain ?? [];
  for (const refinement of rule.refine ?? []) {
    const pattern = parseNames(refinement.chain);
    const match = chain.find(({ name }) => matchWeight(pattern, name) !== -1);
    if (match !== undefined) return judgementOf(refinement, `${judgement.reason}, with ${match.name}`);
  }
  return judgement;
}

function reasonOf(rule: OutcomeRule, label: string): string {
  switch (rule.effect) {
    case undefined:
    case 'none':
      return `${label} writes nothing`;
    case 'unknown':
      return `what ${label} does depends on code or data that is not followed`;
    default:
      return `${label} ${DOES[rule.kind ?? 'write'] ?? 'writes'}`;
  }
}

/** What a kind of write does, in a sentence about the function. */
const DOES: Readonly<Partial<Record<EffectKind, string>>> = {
  create: 'creates something',
  append: 'appends',
  send: 'sends',
  delete: 'deletes',
  run: 'starts a program or a job',
};

function isFalse(value: AbstractValue): boolean {
  return value.kind === 'constant' && value.value === false;
}
