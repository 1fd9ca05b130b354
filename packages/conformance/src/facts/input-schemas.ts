import { ts } from '../../engine/typescript.mjs';
import { walk } from '../compiler/walk.js';

const NAMES = new Set([
  'input',
  'inputSchema',
  'parameters',
  'schema',
  'paramsSchema',
  'args',
  // What the tool answers is checked within its call.
  'output',
  'outputSchema',
]);

/** The expressions by which a tool's definition says what its input is, where they may run code. */
export function inputSchemasOf(definition: ts.Node): readonly ts.Expression[] {
  const found: ts.Expression[] = [];
  walk(definition, (node) => {
    if (ts.isPropertyAssignment(node) && ts.isIdentifier(node.name) && NAMES.has(node.name.text)) {
      found.push(node.initializer);
      return false;
    }
    if (ts.isShorthandPropertyAssignment(node) && NAMES.has(node.name.text)) {
      found.push(node.name);
    }
    if (ts.isCallExpression(definition) && node.parent === definition && ts.isObjectLiteralExpression(node)) {
      found.push(...shapesIn(node));
    }
    return !ts.isFunctionLike(node);
  });
  return found.filter(mayRunCode);
}

/** `server.tool(name, { path: z.string() }, handler)`: the shape stands there by itself. */
function shapesIn(node: ts.ObjectLiteralExpression): readonly ts.Expression[] {
  return node.properties.flatMap((property) =>
    ts.isPropertyAssignment(property) && ts.isCallExpression(property.initializer)
      ? [property.initializer]
      : [],
  );
}

/** Whether there is a function in it, or a name that may stand for one. */
function mayRunCode(schema: ts.Expression): boolean {
  let isOpen = false;
  walk(schema, (node) => {
    isOpen ||= ts.isFunctionLike(node) || (ts.isIdentifier(node) && isValue(node));
    return !isOpen;
  });
  return isOpen;
}

/** A name that is read, and is not the library's own by habit: `z`. */
function isValue(node: ts.Identifier): boolean {
  const { parent } = node;
  const isMember = ts.isPropertyAccessExpression(parent) && parent.name === node;
  const isKey = ts.isPropertyAssignment(parent) && parent.name === node;
  return !isMember && !isKey && node.text !== 'z';
}
