import { ts } from '../../../engine/typescript.mjs';
import type { Frame } from '../interpret/frame.js';
import type { LiveValue } from '../interpret/machine.js';
import { NO_GUARD, either, type Guard } from '../values/guard.js';
import type { Point, Value } from '../values/value.js';

/** Knows which preserved values there are, and which of them are at hand at a place. */
export class AtHand {
  readonly #live = new Map<number, LiveValue>();

  note(id: number, live: LiveValue): void {
    const known = this.#live.get(id);
    this.#live.set(id, known === undefined ? live : { ...live, forms: live.forms | known.forms });
  }

  get(id: number): LiveValue | undefined {
    return this.#live.get(id);
  }

  /**
   * Whether a value is still there where something is made from it: its variable is in scope, or it
   * is a passing value of a function that still runs. An element of a list, or what a finished loop
   * saw, went into a summary of many, which is none's rebuild.
   */
  isCurrent(id: number, node: ts.Node, at: Point): boolean {
    const live = this.#live.get(id);
    if (live === undefined) {
      return false;
    }
    let place: ts.Node | null = node;
    const seen = new Set<Frame>();
    for (let frame: Frame | null = at.frame; frame !== null && place !== null; frame = frame.caller) {
      for (let scope: Frame | null = frame; scope !== null && !seen.has(scope); scope = scope.enclosing) {
        seen.add(scope);
        if (holds(scope, id, place, at) || (scope === live.frame && isPassing(live, scope))) {
          return true;
        }
      }
      place = frame.call;
    }
    return false;
  }

  /** What holds wherever a variable that is at hand holds the value: elsewhere there is none to take anything from. */
  whenThere(id: number, node: ts.Node, at: Point): Guard {
    let place: ts.Node | null = node;
    for (let frame: Frame | null = at.frame; frame !== null && place !== null; frame = frame.caller) {
      for (let scope: Frame | null = frame; scope !== null; scope = scope.enclosing) {
        for (const [cell, declaration] of scope.holders) {
          const found = at.state.get(cell)?.alternatives.filter((one) => 'id' in one && one.id === id) ?? [];
          const [first, ...more] = found;
          if (first !== undefined && isInScope(declaration, place)) {
            return more.reduce((all, { when }) => either(all, when), first.when);
          }
        }
      }
      place = frame.call;
    }
    return NO_GUARD;
  }

  /** The place, in the innermost function that has the value at hand, where the new one comes from. */
  placeIn(id: number, node: ts.Node, at: Point): ts.Node {
    const live = this.#live.get(id);
    let place: ts.Node = node;
    for (let frame: Frame | null = at.frame; frame !== null; frame = frame.caller) {
      for (let scope: Frame | null = frame; scope !== null; scope = scope.enclosing) {
        if (scope === live?.frame || holds(scope, id, place, at)) {
          return place;
        }
      }
      // A function that runs on its own is called by itself.
      if (frame.call === null || frame.call === frame.node) {
        return place;
      }
      place = frame.call;
    }
    return node;
  }

  /** The variables of the running function that are in scope at a place and hold something preserved. */
  heldAt(node: ts.Node, at: Point): readonly { readonly value: Value; readonly declaration: ts.Node }[] {
    const held: { value: Value; declaration: ts.Node }[] = [];
    for (const [cell, declaration] of at.frame.holders) {
      const value = at.state.get(cell);
      if (value !== undefined && isInScope(declaration, node)) {
        held.push({ value, declaration });
      }
    }
    return held;
  }

  /**
   * Whether a variable outside a loop holds what an earlier round of the loop put there: where this
   * round has not answered yet, that is the result of another call.
   */
  isOfAnotherRound(id: number, declaration: ts.Node, at: Point): boolean {
    const loop = this.#live.get(id)?.loop ?? null;
    return loop !== null && at.frame.loops.includes(loop) && !isInside(declaration, loop);
  }
}

function isPassing(live: LiveValue, frame: Frame): boolean {
  if (live.isElement || !frame.isActive) {
    return false;
  }
  return live.loop === null || frame.loops.includes(live.loop);
}

function holds(frame: Frame, id: number, place: ts.Node, at: Point): boolean {
  if (frame.self !== null && hasId(frame.self, id)) {
    return true;
  }
  for (const [cell, declaration] of frame.holders) {
    const value = at.state.get(cell);
    if (value !== undefined && hasId(value, id) && isInScope(declaration, place)) {
      return true;
    }
  }
  return false;
}

function hasId(value: Value, id: number): boolean {
  return value.alternatives.some(
    (one) =>
      ((one.kind === 'result' || one.kind === 'target' || one.kind === 'opaque' || one.kind === 'object') &&
        one.id === id) ||
      (one.kind === 'result' && hasId(one.target, id)),
  );
}

/** Whether a variable can be named at a place: the place lies in the block that declares it. */
function isInScope(declaration: ts.Node, place: ts.Node): boolean {
  const scope = scopeOf(declaration);
  return scope === null || isInside(place, scope);
}

function scopeOf(declaration: ts.Node): ts.Node | null {
  let node: ts.Node = declaration;
  while (
    ts.isBindingElement(node) ||
    ts.isObjectBindingPattern(node) ||
    ts.isArrayBindingPattern(node) ||
    ts.isIdentifier(node)
  ) {
    node = node.parent;
  }
  if (ts.isParameter(node)) {
    return node.parent;
  }
  const list = node.parent;
  if (ts.isVariableDeclaration(node) && ts.isVariableDeclarationList(list)) {
    const isBlockScoped = (list.flags & ts.NodeFlags.BlockScoped) !== 0;
    return isBlockScoped ? (ts.isVariableStatement(list.parent) ? list.parent.parent : list.parent) : null;
  }
  return ts.isCatchClause(list) ? list : null;
}

function isInside(node: ts.Node, container: ts.Node): boolean {
  for (
    let current = node as ts.Node | undefined;
    current !== undefined;
    current = current.parent as ts.Node | undefined
  ) {
    if (current === container) {
      return true;
    }
  }
  return false;
}
