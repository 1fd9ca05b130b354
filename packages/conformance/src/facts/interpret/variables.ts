import { ts } from '../../../engine/typescript.mjs';
import { join } from '../values/join.js';
import type { Point, Value } from '../values/value.js';
import type { Frame } from './frame.js';

/** What variables hold: on a path its state says so; of activations that ended, what was seen of them. */
export class Variables {
  /** What functions that may run at any time give to variables and properties. */
  readonly unsettled = new Map<string, Value>();
  readonly #initials: Map<string, Value>;
  /** What each variable was last seen to hold, for closures that outlive the root they were made in. */
  readonly #lastSeen = new Map<string, Value>();
  readonly #makesClosures = new Map<ts.Node, boolean>();

  constructor(initials: Map<string, Value>) {
    this.#initials = initials;
  }

  read(cell: string, frame: Frame, at: Point): Value | undefined {
    if (frame !== at.frame && !ts.isSourceFile(frame.node)) {
      entangle(at.frame, frame);
    }
    const value = at.state.get(cell) ?? this.#lastSeen.get(cell);
    const loose = this.unsettled.size === 0 ? undefined : this.unsettled.get(cell);
    return loose === undefined || value === undefined ? value : join(value, loose);
  }

  write(cell: string, value: Value, frame: Frame, at: Point): void {
    if (frame !== at.frame) {
      entangle(at.frame, frame);
      this.#noteInitial(cell, at);
    }
    at.state.set(cell, value);
    if (!this.mayOutlive(frame.node)) {
      return;
    }
    const seen = this.#lastSeen.get(cell);
    this.#lastSeen.set(cell, seen === undefined ? value : join(seen, value));
  }

  unsettle(changes: ReadonlyMap<string, Value>, running: Frame | null): void {
    const own = running === null ? null : `${String(running.id)}:`;
    for (const [cell, value] of changes) {
      if (own === null || !cell.startsWith(own)) {
        const known = this.unsettled.get(cell);
        this.unsettled.set(cell, known === undefined ? value : join(known, value));
      }
    }
  }

  /** A variable of an activation that ended holds, where it is not assigned again, what it was seen to hold. */
  #noteInitial(cell: string, at: Point): void {
    const seen = this.#lastSeen.get(cell);
    if (seen !== undefined && at.state.get(cell) === undefined) {
      this.#initials.set(cell, seen);
    }
  }

  mayOutlive(node: ts.Node): boolean {
    let known = this.#makesClosures.get(node);
    if (known === undefined) {
      known = ts.isSourceFile(node) || hasInnerFunction(node);
      this.#makesClosures.set(node, known);
    }
    return known;
  }
}

function hasInnerFunction(node: ts.Node): boolean {
  const isInner = (child: ts.Node): boolean | undefined =>
    ts.isFunctionLike(child) || ts.isClassLike(child) || ts.forEachChild(child, isInner);
  return ts.forEachChild(node, isInner) ?? false;
}

/** Every activation between two that use one variable answers for this one call only. */
function entangle(from: Frame, holder: Frame): void {
  for (
    let frame: Frame | null = from;
    frame !== null && frame !== holder && frame.id > holder.id;
    frame = frame.caller
  ) {
    frame.isEntangled = true;
  }
}
