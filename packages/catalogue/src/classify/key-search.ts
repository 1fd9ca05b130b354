import { globExpression } from '../lookup/name-pattern.js';
import { inputOf, type AbstractValue } from '../model/abstract-value.js';
import type { Decision } from '../model/library-file.js';
import { dependsOn, judgementOf, type Judgement } from './judgement.js';

type KeyDecision = Extract<Decision, { by: 'keys' }>;

interface KeyFindings {
  readonly keys: ReadonlySet<string>;
  /** Names of the functions that made values in it: `increment`, `literal`. */
  readonly makers: ReadonlySet<string>;
  /** Whether all of its keys are known. */
  readonly isClosed: boolean;
}

/** Decides by which keys an object holds: `{ $inc: … }`, `{ data: { views: { increment: 1 } } }`. */
export function judgeKeys(decision: KeyDecision, value: AbstractValue, label: string): Judgement {
  const keys = new Set<string>();
  const makers = new Set<string>();
  const isClosed = collect(value, decision.deep === true, keys, makers);
  const findings: KeyFindings = { keys, makers, isClosed };
  for (const one of decision.cases) {
    const hasKey = (one.keys ?? []).some((glob) => holds(findings.keys, glob));
    const hasMaker = (one.calls ?? []).some((glob) => holds(findings.makers, glob));
    if (hasKey || hasMaker) return judgementOf(one, label);
  }
  if (findings.isClosed) return judgementOf(decision.otherwise, label);
  const unknown = judgementOf(decision.unknown, label);
  const { effect } = judgementOf(decision.otherwise, label);
  const writing = decision.cases.map((one) => judgementOf(one, label)).find((one) => one.effect !== effect);
  // What code puts together is believed to read, what a model says is not.
  if (writing !== undefined && unknown.effect === effect && inputOf(value) !== null)
    return dependsOn(value, decision.value, writing, 'holds what writes');
  // Whether it writes is not at stake, only whether it converges.
  if (unknown.effect !== 'unknown' && unknown.effect === effect) return unknown;
  return inputOf(value) === null ? unknown : dependsOn(value, decision.value, unknown, 'holds what writes');
}

function collect(
  value: AbstractValue,
  isDeep: boolean,
  keys: Set<string>,
  makers: Set<string>,
  depth = 0,
): boolean {
  switch (value.kind) {
    case 'object': {
      let isClosed = !value.isOpen;
      for (const [key, inner] of Object.entries(value.properties)) {
        keys.add(key);
        if (inner.kind === 'made') makers.add(inner.path.findLast((step) => !step.endsWith('()')) ?? '');
        // Below the first level an unknown value is a value that is set, not a place for operators.
        if (isDeep && depth < 6 && (inner.kind === 'object' || inner.kind === 'array')) {
          isClosed = collect(inner, isDeep, keys, makers, depth + 1) && isClosed;
        }
      }
      return isClosed;
    }
    case 'array': {
      const closed = value.elements.map((one) => collect(one, isDeep, keys, makers, depth + 1));
      return !value.isOpen && closed.every(Boolean);
    }
    case 'one-of':
      return value.values.map((one) => collect(one, isDeep, keys, makers, depth)).every(Boolean);
    case 'json':
      return collect(value.value, isDeep, keys, makers, depth);
    case 'made':
      makers.add(value.path.findLast((step) => !step.endsWith('()')) ?? '');
      return false;
    case 'constant':
      return true;
    default:
      return depth > 1;
  }
}

function holds(names: ReadonlySet<string>, glob: string): boolean {
  if (!glob.includes('*')) return names.has(glob);
  const expression = globExpression(glob);
  return [...names].some((name) => expression.test(name));
}
