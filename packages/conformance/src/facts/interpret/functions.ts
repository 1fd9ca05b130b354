import { ts } from '../../../engine/typescript.mjs';
import { contains } from '../../compiler/walk.js';
import { join, joinBranches, possible, referencesIn, under } from '../values/join.js';
import { numberOf, valueKey } from '../values/keys.js';
import { NEVER, UNDEFINED, one, opaque, promise, unknownValue } from '../values/make.js';
import { FROM_CALL, type CallSite, type FunctionValue, type Point, type Value } from '../values/value.js';
import { NO_GUARD, both, guardKey, type Guard } from '../values/guard.js';
import { answered, calleeText, givenReferences } from './calls.js';
import { asImportedType, outside } from './outside-calls.js';
import type { EffectLog } from './effect-log.js';
import type { Frame, Outcome, ReturnRecord } from './frame.js';
import { awaited } from './loops.js';
import type { Machine } from './machine.js';
import { settledKey } from '../values/settled-key.js';
import { handBack } from './hand-back.js';
import { executeAll, recordReturn } from './statements.js';
import { guardFor, handOver, widened } from './hand-over.js';
import { NO_CONDITIONS } from './path-conditions.js';
import type { Branch, State } from './state.js';
import {
  compose,
  failsAtOnce,
  isFailureLost,
  noteFailure,
  NOTHING_WRITTEN,
  setWritten,
  underDeep,
  WRITTEN,
  writtenAt,
} from './written.js';

const DEEPEST_CALL = 48;
/** From this many activations of one function on, arguments are told apart by origin only. */
const WIDEN_AT = 2;
const MOST_ACTIVATIONS = 8;
const MOST_FIXPOINT_ROUNDS = 4;

interface Summary {
  readonly value: Value;
  readonly returns: readonly RanReturn[];
  readonly firstFrame: number;
  readonly isDead: boolean;
  readonly effects: EffectLog;
  readonly outcomes: readonly Outcome[];
  readonly failures: Value;
}

/** One way in which a function was seen to end. */
export type RanReturn = Pick<ReturnRecord, 'value' | 'node'> & {
  /** What had been written by then, in the form of `written.ts`. */
  readonly written: Value;
};

interface Given {
  readonly self: Value | null;
  readonly args: readonly Value[];
  /** What is known that could matter inside. */
  readonly guard: Guard;
}

/** A call that comes back. */
interface Return {
  readonly callee: FunctionValue;
  readonly site: CallSite;
  /** By a summary that was there. */
  readonly isAgain: boolean;
}

interface Activation {
  readonly node: ts.Node;
  value: Value;
  isUsed: boolean;
}

/** Interprets calls of functions with a body. Each is summarised once per kind of arguments. */
export class Functions {
  readonly #machine: Machine;
  readonly #summaries = new Map<string, Summary>();
  readonly #active = new Map<string, Activation>();
  readonly visited = new Set<ts.Node>();
  /** How the function that was called last was seen to end. */
  lastReturns: readonly RanReturn[] = [];

  constructor(machine: Machine) {
    this.#machine = machine;
  }

  invoke(callee: FunctionValue, site: CallSite): Value {
    const { node } = callee;
    const { at } = site;
    if (!hasBody(node)) {
      const answer = this.#machine.queries.answerOfSignature(node);
      outside(this.#machine, site, { origin: null, receiver: null, name: nameOf(node), from: FROM_CALL });
      return answer === null
        ? unknownValue(`the code of \`${calleeText(site.node)}\` is not here`, site.node)
        : answered(this.#machine, site, answer, null);
    }
    if (this.#machine.isPassedOver(callee, site)) {
      return opaque({
        origin: FROM_CALL,
        description: `the answer of \`${calleeText(site.node)}\``,
        place: site.node,
      });
    }
    const activations = [...this.#active.values()].filter((one) => one.node === node).length;
    if (at.frame.depth >= DEEPEST_CALL || activations >= MOST_ACTIVATIONS) {
      const declared = this.#machine.queries.answerOfSignature(node);
      const why = `calls nest deeper than ${String(DEEPEST_CALL)}: \`${calleeText(site.node)}\``;
      if (activations < MOST_ACTIVATIONS) {
        this.#machine.effects.unknown(site.node, why, at);
      }
      return declared === null
        ? unknownValue(why, site.node)
        : unknownValue(why, site.node, referencesIn(join(...site.args)));
    }
    const isFree = !callee.frame?.isActive;
    const args = [...callee.bound, ...site.args].map((arg) =>
      handOver(this.#machine.identities, activations >= WIDEN_AT ? widened(arg) : arg, isFree),
    );
    const self = callee.self ?? (ts.isArrowFunction(node) ? null : site.self);
    const guard = isFree
      ? guardFor(this.#machine.identities, [self, ...args, site.spread], at.state.guard)
      : at.state.guard;
    const key = this.#keyOf(callee, { self, args, guard }, site);
    const running = this.#active.get(key);
    if (running !== undefined) {
      running.isUsed = true;
      if (running.value.alternatives.length === 0) {
        at.state.isDead = true;
      }
      return running.value;
    }
    const known = this.#summaries.get(this.#summaryKey(key));
    if (known !== undefined) {
      at.state.isDead ||= known.isDead;
      this.lastReturns = known.returns;
      this.#takeIn(known.effects, callee, site);
      return this.#handBack(known, writtenAt(at), { callee, site, isAgain: true });
    }
    const wasDead = at.state.isDead;
    const value = this.#machine.withAllowance(callee.node, () =>
      this.#interpret(callee, { self, args, guard }, site, key),
    );
    if (value !== null) {
      return value;
    }
    // Too much code for what it can say: its answer comes from what it is given.
    this.#summaries.delete(this.#summaryKey(key));
    this.#machine.effects.unknown(
      site.node,
      `the code of \`${calleeText(site.node)}\` is too much to follow`,
      at,
    );
    at.state.isDead = wasDead;
    return derivedAnswer(site);
  }

  #keyOf(callee: FunctionValue, { self, args, guard }: Given, site: CallSite): string {
    return [
      // Beside tools, code that could not matter for results is passed over, whatever it writes.
      this.#machine.effects.isWatching ? 'tool' : 'beside',
      numberOf(callee.node),
      callee.frame?.id ?? 0,
      self === null ? '' : this.#machine.currentKey(self, site.at),
      args.map((arg) => this.#machine.currentKey(arg, site.at)).join('/'),
      site.spread === null ? '' : this.#machine.currentKey(site.spread, site.at),
      guardKey(guard),
    ].join('|');
  }

  #summaryKey(key: string): string {
    return `${key}|${String(this.#machine.lastingWrites)}|${String(this.#machine.held.changes)}`;
  }

  #interpret(callee: FunctionValue, { self, args, guard }: Given, site: CallSite, key: string): Value {
    const activation: Activation = { node: callee.node, value: NEVER, isUsed: false };
    this.#active.set(key, activation);
    this.visited.add(callee.node);
    const base = site.at.state;
    const written = writtenAt(site.at);
    let value: Value;
    let frame: Frame;
    let state: State;
    for (let round = 0; ; round += 1) {
      activation.isUsed = false;
      state = base.fork();
      state.guard = guard;
      state.conditions = NO_CONDITIONS;
      setWritten(state, NOTHING_WRITTEN);
      frame = this.#machine.newFrame(callee.node, {
        enclosing: callee.frame,
        caller: site.at.frame,
        call: site.node,
        self,
        args,
        entry: state,
      });
      value = this.#run(callee, frame, site, state);
      const isStable = !isUsed(activation) || settledKey(value) === settledKey(activation.value);
      if (isStable || round >= MOST_FIXPOINT_ROUNDS) {
        if (!isStable) {
          value = join(
            value,
            unknownValue(`the recursion of \`${calleeText(site.node)}\` does not settle`, site.node),
          );
        }
        break;
      }
      activation.value = value;
    }
    this.#active.delete(key);
    this.lastReturns = frame.returns.map(({ value: returned, node, branch }) => ({
      value: returned,
      node,
      written: writtenIn(branch),
    }));
    const { outcomes, failures } = frame;
    this.#machine.retire(frame);
    this.#takeIn(frame.effects, callee, site);
    this.#leave(base, state, frame);
    if (!frame.isEntangled && !this.#isInRecursion() && !makesChangingClosures(callee.node)) {
      this.#summaries.set(this.#summaryKey(key), {
        value,
        returns: this.lastReturns,
        firstFrame: frame.id,
        isDead: base.isDead,
        effects: frame.effects,
        outcomes,
        failures,
      });
    }
    return this.#handBack({ value, firstFrame: frame.id, outcomes, failures, isDead: base.isDead }, written, {
      callee,
      site,
      isAgain: false,
    });
  }

  /** What a call answers, and what has been written where it did. */
  #handBack(
    answered: Pick<Summary, 'value' | 'firstFrame' | 'outcomes' | 'failures' | 'isDead'>,
    before: Value,
    { callee, site, isAgain }: Return,
  ): Value {
    const { value, firstFrame, outcomes, failures, isDead } = answered;
    const { at } = site;
    const handover = { site, firstFrame, name: nameOf(callee.node), isAgain };
    if (failures.alternatives.length > 0 && !isFailureLost(site.node, failsAtOnce(callee.node, value))) {
      noteFailure(at, compose(before, failures));
    }
    if (isDead) {
      return NEVER;
    }
    const [only, ...more] = outcomes;
    if (more.length === 0 || outcomes.length > MOST_OUTCOMES) {
      setWritten(
        at.state,
        only === undefined ? before : compose(before, join(...outcomes.map(({ written }) => written))),
      );
      return handBack(this.#machine, value, handover);
    }
    // Which way it was is told by the answer: what was written goes with it.
    const subject = this.#machine.identities.choice(at.frame);
    const ways = outcomes.map((outcome, index) => ({
      when: new Map([[subject, 1 << index]]),
      value: handBack(this.#machine, outcome.value, handover),
      written: compose(before, outcome.written),
    }));
    setWritten(at.state, join(...ways.map(({ written, when }) => under(written, when))));
    return join(...ways.map(({ value: way, when }) => underDeep(way, when)));
  }

  #takeIn(inner: EffectLog, callee: FunctionValue, site: CallSite): void {
    const { frame, state } = site.at;
    frame.effects.takeIn(inner, {
      call: site.node,
      callee: nameOf(callee.node),
      conditions: state.conditions,
    });
  }

  /** What the call left behind, in its caller's state; the caller knows what it knew before, too. */
  #leave(base: State, state: State, frame: Frame): void {
    const before = base.guard;
    const { conditions } = base;
    const left = state.asBranchOf(base);
    base.absorb([this.#machine.mayOutlive(frame.node) ? left : withoutCells(left, frame)]);
    base.conditions = conditions;
    if (!base.isDead) {
      base.guard = both(before, base.guard) ?? before;
    }
  }

  // An answer that was computed while a caller of itself was still unfinished is not final.
  #isInRecursion(): boolean {
    for (const { isUsed } of this.#active.values()) {
      if (isUsed) {
        return true;
      }
    }
    return false;
  }

  /** Runs the body from `state`, and leaves in it what holds where the function has answered. */
  #run(callee: FunctionValue, frame: Frame, site: CallSite, state: Frame['entry']): Value {
    const { node } = callee;
    const machine = this.#machine;
    const running = state.fork();
    const at: Point = { frame, state: running };
    bindParameters(machine, node, frame, site, at);
    const body = hasBody(node) ? node.body : undefined;
    if (body !== undefined && ts.isBlock(body)) {
      executeAll(machine, body.statements, at);
      if (!running.isDead) {
        recordReturn(machine, UNDEFINED, node, at);
      }
    } else if (body !== undefined) {
      const value = machine.evaluate(body, at);
      if (!running.isDead) {
        recordReturn(machine, value, body, at);
      }
    }
    machine.observer.ended(frame, at);
    const guard = state.guard;
    const isAsync = hasModifier(node, ts.SyntaxKind.AsyncKeyword);
    const answers = frame.returns.map(({ value, branch }) => ({
      value: isAsync ? awaited(value) : value,
      guard: branch.guard,
    }));
    const returned = asImportedType(machine, joinBranches(guard, answers), node.type);
    const isKept = machine.mayOutlive(node);
    state.absorb(frame.returns.map(({ branch }) => (isKept ? branch : withoutCells(branch, frame))));
    const isGenerator = 'asteriskToken' in node && node.asteriskToken !== undefined;
    if (isGenerator) {
      // Its body runs when it is asked for elements, not here.
      for (const { branch } of frame.returns) {
        machine.unsettle(branch.changes, frame);
      }
      state.isDead = false;
      const iterator = machine.newObject(node, at, { collection: 'iterator', others: frame.yielded });
      return one({
        ...iterator,
        properties: new Map([['return value', returned.alternatives.length === 0 ? UNDEFINED : returned]]),
      });
    }
    frame.outcomes = this.#machine.effects.isWatching ? outcomesOf(frame, guard, isAsync) : [];
    if (isAsync) {
      // An async function that only throws answers a promise; who awaits it goes no further.
      state.isDead = false;
      return promise(returned);
    }
    return returned;
  }
}

/** More ways to answer are not told apart. */
const MOST_OUTCOMES = 12;

function outcomesOf(frame: Frame, guard: Guard, isAsync: boolean): readonly Outcome[] {
  const byWritten = new Map<string, { readonly written: Value; readonly returns: ReturnRecord[] }>();
  for (const record of frame.returns) {
    const written = withoutConditions(writtenIn(record.branch));
    const key = valueKey(written);
    const known = byWritten.get(key) ?? { written, returns: [] };
    known.returns.push(record);
    byWritten.set(key, known);
  }
  return [...byWritten.values()].map(({ written, returns }) => {
    const value = joinBranches(
      guard,
      returns.map((one) => ({
        value: isAsync ? awaited(one.value) : one.value,
        guard: one.branch.guard,
      })),
    );
    return { value: isAsync ? promise(value) : value, written };
  });
}

function writtenIn({ changes, guard }: Branch): Value {
  return possible(changes.get(WRITTEN) ?? NOTHING_WRITTEN, guard);
}

/** What the function knew about its own variables says nothing outside. */
function withoutConditions(value: Value): Value {
  return value.alternatives.every(({ when }) => when.size === 0)
    ? value
    : join({ alternatives: value.alternatives.map((one) => ({ ...one, when: NO_GUARD })) });
}

function bindParameters(
  machine: Machine,
  node: ts.SignatureDeclaration,
  frame: Frame,
  site: CallSite,
  at: Point,
): void {
  let index = 0;
  for (const parameter of node.parameters) {
    if (!ts.isParameter(parameter) || (ts.isIdentifier(parameter.name) && parameter.name.text === 'this')) {
      continue;
    }
    if (parameter.dotDotDotToken !== undefined) {
      const rest = frame.args.slice(index);
      const properties = new Map(rest.map((value, position) => [String(position), value]));
      const list = machine.newObject(parameter, at, { collection: 'array', properties, others: site.spread });
      machine.bind(parameter.name, one(list), at);
      return;
    }
    let value = frame.args[index] ?? (site.spread === null ? UNDEFINED : join(site.spread, UNDEFINED));
    if (parameter.initializer !== undefined) {
      value = machine.withDefault(value, parameter.initializer, at);
    }
    machine.bind(parameter.name, machine.asDeclared(value, parameter.type, at), at);
    if (
      ts.isParameterPropertyDeclaration(parameter, node) &&
      ts.isIdentifier(parameter.name) &&
      frame.self !== null
    ) {
      machine.writeProperty(frame.self, parameter.name.text, value, at);
    }
    index += 1;
  }
}

function derivedAnswer(site: CallSite): Value {
  const text = calleeText(site.node);
  const why = `the code of \`${text}\` is too much to follow`;
  return opaque({
    origin: FROM_CALL,
    unknown: why,
    description: `the answer of \`${text}\``,
    place: site.node,
    references: givenReferences(site),
  });
}

const CHANGING = new WeakMap<ts.Node, boolean>();

/** Whether functions inside of it assign to names: then two calls of it answer closures that share nothing. */
function makesChangingClosures(node: ts.Node): boolean {
  let known = CHANGING.get(node);
  if (known === undefined) {
    known = contains(
      node,
      (inner) => inner !== node && ts.isFunctionLike(inner) && contains(inner, assignsName),
    );
    CHANGING.set(node, known);
  }
  return known;
}

function assignsName(node: ts.Node): boolean {
  return (
    ts.isBinaryExpression(node) &&
    node.operatorToken.kind >= ts.SyntaxKind.FirstAssignment &&
    node.operatorToken.kind <= ts.SyntaxKind.LastAssignment &&
    ts.isIdentifier(node.left)
  );
}

/** The variables of a function that ended, and that nothing can use any more, are let go. */
function withoutCells(branch: Branch, frame: Frame): Branch {
  const prefix = `${String(frame.id)}:`;
  return { ...branch, changes: new Map([...branch.changes].filter(([cell]) => !cell.startsWith(prefix))) };
}

export function hasBody(
  node: ts.SignatureDeclaration,
): node is ts.SignatureDeclaration & { readonly body: ts.ConciseBody } {
  return 'body' in node && node.body !== undefined;
}

export function nameOf(node: ts.SignatureDeclaration): string {
  const name = ts.getNameOfDeclaration(node);
  if (name !== undefined) {
    return name.getText();
  }
  const { parent } = node;
  return ts.isVariableDeclaration(parent) ||
    ts.isPropertyAssignment(parent) ||
    ts.isPropertyDeclaration(parent)
    ? parent.name.getText()
    : 'a function';
}

function hasModifier(node: ts.Node, kind: ts.SyntaxKind): boolean {
  return (ts.canHaveModifiers(node) && ts.getModifiers(node)?.some((one) => one.kind === kind)) ?? false;
}

/** Read anew each time: the work between two readings may have used it. */
function isUsed(activation: Activation): boolean {
  return activation.isUsed;
}
