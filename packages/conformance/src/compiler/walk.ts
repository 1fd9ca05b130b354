import { ts } from '../../engine/typescript.mjs';

/**
 * Visits a node and all below it, in the order of the source. A visitor that answers false keeps the
 * walk out of a node's children.
 *
 * It has a list of its own instead of the call stack: generated code nests thousands deep.
 *
 * @param leave - called for a node that was entered, after all below it
 */
export function walk(
  root: ts.Node,
  visit: (node: ts.Node) => boolean | undefined,
  leave?: (node: ts.Node) => void,
): void {
  // A node that is to be left lies on the list between its siblings and its children, after a mark.
  const pending: (ts.Node | typeof LEFT)[] = [root];
  const push = (child: ts.Node): void => {
    pending.push(child);
  };
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (next === LEFT) {
      leave?.(pending.pop() as ts.Node);
      continue;
    }
    if (visit(next) === false) {
      continue;
    }
    if (leave !== undefined) {
      pending.push(next, LEFT);
    }
    const first = pending.length;
    ts.forEachChild(next, push);
    reverseFrom(pending, first);
  }
}

const LEFT = Symbol('left');

function reverseFrom(list: unknown[], first: number): void {
  for (let low = first, high = list.length - 1; low < high; low += 1, high -= 1) {
    [list[low], list[high]] = [list[high], list[low]];
  }
}

/** Whether a node, or one below it, passes a test. */
export function contains(root: ts.Node, test: (node: ts.Node) => boolean): boolean {
  let isFound = false;
  walk(root, (node) => {
    isFound ||= test(node);
    return !isFound;
  });
  return isFound;
}
