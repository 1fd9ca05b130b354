import { ts } from 'ts-morph';

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
  const pending: { readonly node: ts.Node; readonly isLeft: boolean }[] = [{ node: root, isLeft: false }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { node, isLeft } = next;
    if (isLeft) {
      leave?.(node);
      continue;
    }
    if (visit(node) === false) {
      continue;
    }
    if (leave !== undefined) {
      pending.push({ node, isLeft: true });
    }
    const children: ts.Node[] = [];
    ts.forEachChild(node, (child) => {
      children.push(child);
    });
    for (const child of children.reverse()) {
      pending.push({ node: child, isLeft: false });
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
