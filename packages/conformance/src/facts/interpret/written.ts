import { ts } from '../../../engine/typescript.mjs';
import { both, NO_GUARD, type Guard } from '../values/guard.js';
import { join, joinWays, possible, under } from '../values/join.js';
import { valueKey } from '../values/keys.js';
import { literal } from '../values/make.js';
import type { Point, Value } from '../values/value.js';
import type { State } from './state.js';
import type { FailedWay, TryRecord } from './frame.js';
import type { Machine } from './machine.js';
import { skipWrappers } from '../../compiler/syntax.js';

/**
 * What a path has written so far, as a value of its state, so that it is joined and told apart like
 * every other: a text with the numbers of its writes, `3,7`, and of the failure that was caught since, `3,7!9`.
 */
export const WRITTEN = 'written';
export const NOTHING_WRITTEN: Value = literal('');

/** More writes on one path say no more. */
const MOST_WRITES = 4;
const MOST_WAYS = 16;

export interface Passed {
  readonly writes: readonly number[];
  /** The failure that led here; null where none did. */
  readonly failure: number | null;
}

export function passedBy(text: unknown): Passed {
  const [writes = '', failure] = String(text).split('!');
  return {
    writes: writes === '' ? [] : writes.split(',').map(Number),
    failure: failure === undefined ? null : Number(failure),
  };
}

function textOf({ writes, failure }: Passed): string {
  const kept = [...new Set(writes)].sort((a, b) => a - b).slice(0, MOST_WRITES);
  return `${kept.join(',')}${failure === null ? '' : `!${String(failure)}`}`;
}

/** What holds at a point: the ways that the path's conditions leave. */
export function writtenAt(at: Point): Value {
  return possible(at.state.get(WRITTEN) ?? NOTHING_WRITTEN, at.state.guard);
}

function change(value: Value, edit: (passed: Passed) => Passed): Value {
  return join(
    ...value.alternatives.map((one): Value =>
      one.kind === 'literal'
        ? { alternatives: [{ ...one, value: textOf(edit(passedBy(one.value))) }] }
        : { alternatives: [one] },
    ),
  );
}

export function withWrite(value: Value, write: number): Value {
  return change(value, ({ writes, failure }) => ({ writes: [...writes, write], failure }));
}

export function withFailure(value: Value, failure: number): Value {
  return change(value, ({ writes }) => ({ writes, failure }));
}

/** The ways on which none of certain writes was made. */
export function without(value: Value, isOne: (write: number) => boolean): Value {
  return {
    alternatives: value.alternatives.filter(
      (one) => one.kind !== 'literal' || !passedBy(one.value).writes.some(isOne),
    ),
  };
}

/** First the one, then the other. */
export function compose(before: Value, after: Value): Value {
  const [only] = before.alternatives;
  if (
    before.alternatives.length === 1 &&
    only?.kind === 'literal' &&
    only.value === '' &&
    only.when.size === 0
  ) {
    return after;
  }
  const ways: Value[] = [];
  for (const first of before.alternatives) {
    for (const second of after.alternatives) {
      const when = both(first.when, second.when);
      if (
        when === null ||
        first.kind !== 'literal' ||
        second.kind !== 'literal' ||
        ways.length >= MOST_WAYS
      ) {
        continue;
      }
      const a = passedBy(first.value);
      const b = passedBy(second.value);
      const value = textOf({ writes: [...a.writes, ...b.writes], failure: b.failure ?? a.failure });
      ways.push({ alternatives: [{ ...second, value, when }] });
    }
  }
  return join(...ways);
}

/** A failure leaves the innermost try that has a catch, or the function. */
export function noteFailure({ frame, state }: Point, written: Value): void {
  const record = frame.tries.at(-1);
  if (record === undefined) {
    frame.failures = cut(join(frame.failures, written));
  } else {
    addWay(record, { written, changes: new Map(state.changesSince(record.base)) });
  }
}

/** The same failures leave a try that catches none. */
export function passFailures({ frame }: Point, { base, failures }: TryRecord): void {
  const outer = frame.tries.at(-1);
  for (const { written, changes } of failures) {
    if (outer === undefined) {
      frame.failures = cut(join(frame.failures, written));
    } else {
      addWay(outer, { written, changes: new Map([...base.changesSince(outer.base), ...changes]) });
    }
  }
}

/** What is known where a try was left: the ways in which it failed are told apart by what each had assigned. */
export function enterCatch(machine: Machine, at: Point, caught: State, { base, failures }: TryRecord): void {
  if (failures.length === 0) {
    return;
  }
  const subject = machine.identities.choice(at.frame);
  const guards = [NO_GUARD, ...failures].map((_, index): Guard => new Map([[subject, 1 << index]]));
  const cells = new Set(failures.flatMap(({ changes }) => [...changes.keys()]));
  for (const cell of cells) {
    const before = base.before(cell);
    const ways = failures.map(({ changes }) => changes.get(cell) ?? before);
    caught.set(cell, joinWays([caught.before(cell), ...ways], guards));
  }
  const before = base.get(WRITTEN) ?? NOTHING_WRITTEN;
  setWritten(caught, cut(joinWays([before, ...failures.map(({ written }) => written)], guards)));
}

function addWay({ base, failures }: TryRecord, way: FailedWay): void {
  const key = valueKey(way.written);
  const found = failures.findIndex(({ written }) => valueKey(written) === key);
  const index = found === -1 && failures.length >= MOST_WAYS ? MOST_WAYS - 1 : found;
  const known = failures[index];
  if (known === undefined) {
    failures.push(way);
    return;
  }
  const changes = new Map(known.changes);
  for (const cell of new Set([...known.changes.keys(), ...way.changes.keys()])) {
    const values = [known, way].map((one) => one.changes.get(cell) ?? base.before(cell));
    changes.set(cell, join(...values));
  }
  failures[index] = { written: cut(join(known.written, way.written)), changes };
}

function cut(value: Value): Value {
  return value.alternatives.length <= MOST_WAYS
    ? value
    : { alternatives: value.alternatives.slice(0, MOST_WAYS) };
}

export function setWritten(state: State, value: Value): void {
  state.set(WRITTEN, value);
}

/**
 * Branches that have not written the same are told apart by whatever else they left different: a variable
 * that is only set behind the write says whether there was one.
 */
export function tellApart(machine: Machine, at: Point, branches: readonly State[]): void {
  const live = branches.filter(({ isDead }) => !isDead);
  if (!machine.effects.isWatching || live.length < 2) {
    return;
  }
  const written = new Set(live.map((state) => valueKey(state.get(WRITTEN) ?? NOTHING_WRITTEN)));
  if (written.size < 2) {
    return;
  }
  const subject = machine.identities.choice(at.frame);
  for (const [index, state] of live.entries()) {
    state.guard = both(state.guard, new Map([[subject, 1 << index]])) ?? state.guard;
  }
}

/** Marks which of several ways a value comes by; of a promise, what it holds. */
export function underDeep(value: Value, guard: Guard): Value {
  const marked = under(value, guard);
  return {
    alternatives: marked.alternatives.map((one) =>
      one.kind === 'promise' ? { ...one, when: NO_GUARD, value: underDeep(one.value, guard) } : one,
    ),
  };
}

/**
 * Whether a failure of a call goes nowhere: it is caught in a chain, settled, or nobody waits for it. Nobody
 * has to wait for what fails at once.
 */
export function isFailureLost(node: ts.Node, failsAtOnce = isNamedSync(node)): boolean {
  let current = node;
  for (;;) {
    const { parent } = current;
    if (ts.isPropertyAccessExpression(parent) && parent.expression === current) {
      const called = parent.parent;
      if (!ts.isCallExpression(called)) {
        return false;
      }
      const isCaught =
        parent.name.text === 'catch' || (parent.name.text === 'then' && called.arguments.length > 1);
      if (isCaught) {
        return true;
      }
      if (parent.name.text !== 'then' && parent.name.text !== 'finally') {
        return false;
      }
      current = called;
    } else if (ts.isArrayLiteralExpression(parent)) {
      return ts.isCallExpression(parent.parent) && parent.parent.expression.getText().endsWith('.allSettled');
    } else if (ts.isVoidExpression(parent)) {
      return !failsAtOnce;
    } else if (ts.isParenthesizedExpression(parent)) {
      current = parent;
    } else {
      return ts.isExpressionStatement(parent) && !failsAtOnce;
    }
  }
}

/** Code of the project that is no promise's: what it throws, its caller meets without waiting. */
export function failsAtOnce(code: ts.SignatureDeclaration, answer: Value): boolean {
  const isAsync =
    ts.canHaveModifiers(code) &&
    ts.getModifiers(code)?.some(({ kind }) => kind === ts.SyntaxKind.AsyncKeyword) === true;
  return !isAsync && answer.alternatives.every(({ kind }) => kind !== 'promise');
}

/** A function of a library that says in its name that it fails at once. */
function isNamedSync(node: ts.Node): boolean {
  if (!ts.isCallExpression(node)) {
    return true;
  }
  const callee = skipWrappers.inward(node.expression);
  const name = ts.isPropertyAccessExpression(callee) ? callee.name.text : callee.getText();
  return name.endsWith('Sync');
}
