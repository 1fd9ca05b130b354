import { ts } from 'ts-morph';

/**
 * Visits a node and all below it, in the order of the source. A visitor that answers false keeps the
 * walk out of a node's children.
 *
 * It has a list of its own instead of the call stack: generated code nests thousands deep.
 */
export function walk(root: ts.Node, visit: (node: ts.Node) => boolean | undefined): void {
  const pending = [root];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (visit(node) === false) {
      continue;
    }
    const children: ts.Node[] = [];
    ts.forEachChild(node, (child) => {
      children.push(child);
    });
    for (let index = children.length - 1; index >= 0; index -= 1) {
      pending.push(children[index] as ts.Node);
    }
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
