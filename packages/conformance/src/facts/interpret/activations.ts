import { ts } from '../../../engine/typescript.mjs';
import { NEVER } from '../values/make.js';
import { isUntracked } from '../values/untracked.js';
import type { CallSite, FunctionValue, Point, Value } from '../values/value.js';
import { EffectLog } from './effect-log.js';
import type { Frame } from './frame.js';
import type { FrameParts } from './machine.js';
import { holdersIn } from './object-store.js';
import { State } from './state.js';

/** Steps that one root may take before what is left of it counts as unknown. */
const MOST_STEPS = 60_000;
const MOST_STEPS_BESIDE = 12_000;
/** And steps that one call may take to code that has nothing to do with results: more say no more about it. */
const ALLOWANCE = 8_000;
const ALLOWANCE_BESIDE = 600;

const LOOK_UPS_OF_A_STEP = 32;

const NO_STATE = new State();

/** Which functions have to do with preserved values. */
export interface Relevance {
  isTelling(node: ts.Node): boolean;
  /** Which give code to something that keeps it. */
  isKeeping(node: ts.Node): boolean;
  /** The fewer that could rebuild one. */
  isRebuilding(node: ts.Node): boolean;
}

/**
 * The activations of functions and files, and the bounds on their work. Every root (a tool, a function, a
 * file) has a state and a bound of its own, so that one that never settles takes nothing from the others.
 */
export abstract class Activations {
  readonly #lastFrames = new Map<ts.Node, Frame>();
  #relevance: Relevance = { isTelling: () => true, isKeeping: () => true, isRebuilding: () => true };
  #mode: 'tool' | 'file' | 'beside' = 'tool';
  #lastFrame = 0;
  #root = 0;
  #steps = 0;
  #limit = MOST_STEPS;
  #givenUp = '';
  protected nesting = 0;
  /** Properties before they were first assigned. */
  protected readonly initials = new Map<string, Value>();

  /** Told of every activation that starts. */
  protected abstract noteFrame(frame: Frame): void;

  /** Starts a root: a fresh state and a fresh bound on its work. */
  root<T>(node: ts.Node, work: (at: Point) => T): T {
    const [root, steps, limit, nesting] = [this.#root, this.#steps, this.#limit, this.nesting];
    const givenUp = this.#givenUp;
    this.#givenUp = '';
    this.#lastFrame += 1;
    this.#root = this.#lastFrame;
    this.#steps = 0;
    this.#limit = this.#mode === 'tool' ? MOST_STEPS : MOST_STEPS_BESIDE;
    const entry = new State(null, this.initials);
    const frame = this.newFrame(node, {
      enclosing: null,
      caller: null,
      call: null,
      self: null,
      args: [],
      entry,
    });
    try {
      return work({ frame, state: entry });
    } finally {
      this.retire(frame);
      this.nesting = nesting;
      [this.#root, this.#steps, this.#limit] = [root, steps, limit];
      this.#givenUp = givenUp;
    }
  }

  /**
   * The same for code that no tool reaches, where only rebuilds are looked for: functions that have
   * nothing to do with preserved values are passed over, and there is less patience.
   */
  rootBeside<T>(node: ts.Node, work: (at: Point) => T): T {
    const before = this.#mode;
    this.#mode = 'beside';
    try {
      return this.root(node, work);
    } finally {
      this.#mode = before;
    }
  }

  /** Says which functions have to do with preserved values; the others are passed over. */
  passOver(relevance: Relevance): void {
    this.#relevance = relevance;
  }

  #isRelevant(node: ts.Node): boolean {
    return this.#mode === 'beside' ? this.#relevance.isRebuilding(node) : this.#relevance.isTelling(node);
  }

  isPassedOver(callee: FunctionValue, site: CallSite): boolean {
    if (this.#mode === 'tool' || this.#isRelevant(callee.node)) {
      return false;
    }
    if (this.#mode === 'file') {
      // What a file makes at its top level may be a tool's, unless nothing keeps it; so may what it hands on.
      return isDiscarded(site.node) && !this.#relevance.isKeeping(callee.node) && !handsOverCode(site);
    }
    const given = [...site.args, ...(callee.self === null ? [site.self] : [])];
    return given.every((value) => isUntracked(value));
  }

  /** Whether what runs belongs to a tool, whose effects matter. */
  protected get isInTool(): boolean {
    return this.#mode === 'tool';
  }

  /** Why what the running root does is not known; empty where it is. */
  get gaveUp(): string {
    return this.#steps > this.#limit ? 'the bound on the analysis of this tool was reached' : this.#givenUp;
  }

  /** Notes that something runs here which can change anything, variables included. */
  giveUp(why: string, at: Point): void {
    this.#givenUp ||= why;
    for (let frame: Frame | null = at.frame; frame !== null; frame = frame.caller) {
      frame.isEntangled = true;
    }
  }

  /** The top level of a file, which stays open as long as the interpreter does. */
  openFile(file: ts.SourceFile): Point {
    const root = this.#root;
    this.#lastFrame += 1;
    this.#root = this.#lastFrame;
    const entry = new State(null, this.initials);
    const frame = this.newFrame(file, {
      enclosing: null,
      caller: null,
      call: null,
      self: null,
      args: [],
      entry,
    });
    this.#root = root;
    return { frame, state: entry };
  }

  /** Works at the top level of a file, whoever needs it, with a bound of its own. */
  resume<T>({ frame }: Point, work: () => T): T {
    const before = [this.#root, this.#steps, this.#limit, this.#mode] as const;
    [this.#root, this.#steps, this.#limit, this.#mode] = [frame.root, 0, MOST_STEPS_BESIDE, 'file'];
    try {
      return work();
    } finally {
      [this.#root, this.#steps, this.#limit, this.#mode] = before;
    }
  }

  newFrame(node: ts.Node, parts: FrameParts): Frame {
    this.#lastFrame += 1;
    const frame: Frame = {
      id: this.#lastFrame,
      node,
      enclosing: parts.enclosing,
      caller: parts.caller,
      call: parts.call,
      self: parts.self,
      args: parts.args,
      entry: parts.entry,
      depth: (parts.caller?.depth ?? 0) + 1,
      root: this.#root,
      returns: [],
      yielded: NEVER,
      tries: [],
      targets: [],
      loops: [],
      holders: new Map(),
      isActive: true,
      isEntangled: false,
      failures: NEVER,
      outcomes: [],
      effects: parts.effects ?? new EffectLog(),
    };
    this.noteFrame(frame);
    this.#lastFrames.set(node, frame);
    return frame;
  }

  retire(frame: Frame): void {
    frame.isActive = false;
    frame.caller = null;
    frame.entry = NO_STATE;
    frame.returns.length = 0;
  }

  isSpent(): boolean {
    this.#steps += 1;
    return this.#steps > this.#limit;
  }

  /** Counts work that a step does beside itself: so many look-ups take as long as a step. */
  spend(lookUps: number): void {
    this.#steps += lookUps / LOOK_UPS_OF_A_STEP;
  }

  withAllowance(node: ts.Node, work: () => Value): Value | null {
    if (this.#relevance.isTelling(node)) {
      return work();
    }
    const outer = this.#limit;
    const own = this.#steps + (this.#mode === 'tool' ? ALLOWANCE : ALLOWANCE_BESIDE);
    this.#limit = Math.min(outer, own);
    const value = work();
    const isOver = this.#steps > own;
    this.#limit = outer;
    return isOver ? null : value;
  }

  /** The last activation of a function that is known, for what was declared inside of it. */
  frameOf(container: ts.Node): Frame | null {
    return this.#lastFrames.get(container) ?? null;
  }
}

/** A function that is handed over may be kept where a tool comes upon it. */
function handsOverCode(site: CallSite): boolean {
  return site.args.some((value) => holdersIn(value).some((one) => one.kind === 'function'));
}

/** Whether the answer of a call goes nowhere. */
function isDiscarded(node: ts.Node): boolean {
  const { parent } = node;
  if (ts.isAwaitExpression(parent) || ts.isVoidExpression(parent) || ts.isParenthesizedExpression(parent)) {
    return isDiscarded(parent);
  }
  if (ts.isPropertyAccessExpression(parent) && ts.isCallExpression(parent.parent)) {
    return ['then', 'catch', 'finally'].includes(parent.name.text) && isDiscarded(parent.parent);
  }
  return ts.isExpressionStatement(parent);
}
