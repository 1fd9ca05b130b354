import { ts } from '../../../engine/typescript.mjs';

/** First words of methods that change an object at least as often as a record elsewhere. */
const OF_OBJECTS = new Set(
  (
    'add append prepend set unset assign register unregister reset clear move advance toggle refresh attach detach ' +
    'extend override configure mount unmount mark push enable disable lock unlock pause resume finish complete'
  ).split(' '),
);

/**
 * Whether a call on an object that nothing is known of changes just that object: `response.addResult(text);`.
 * What goes to another system answers a promise, and code that does such a thing waits for it or keeps it.
 */
export function isInProcess(node: ts.Node, name: string): boolean {
  const [first = ''] = name.replace(/^_+/u, '').split(/(?=[A-Z_])/u);
  return (
    OF_OBJECTS.has(first.toLowerCase()) &&
    (ts.isCallExpression(node) ? ts.isPropertyAccessExpression(node.expression) : false) &&
    ts.isExpressionStatement(node.parent)
  );
}
