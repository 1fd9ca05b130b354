import { ts } from '../../../engine/typescript.mjs';
import { join } from '../values/join.js';
import { literal, one, opaque, UNDEFINED, unknownValue } from '../values/make.js';
import type { Point, Value } from '../values/value.js';
import type { Machine } from './machine.js';

/** What decorators make of a method or a class: each may put another in its place. */
export function decorated(
  machine: Machine,
  node: ts.MethodDeclaration | ts.ClassLikeDeclaration,
  value: Value,
  at: Point,
): Value {
  const decorators = ts.getDecorators(node) ?? [];
  let current = value;
  for (const decorator of [...decorators].reverse()) {
    current = decorate(machine, decorator, node, current, at);
  }
  return current;
}

function decorate(
  machine: Machine,
  decorator: ts.Decorator,
  node: ts.MethodDeclaration | ts.ClassLikeDeclaration,
  value: Value,
  at: Point,
): Value {
  const callee = machine.evaluateInModule(decorator.expression, at);
  const why = `what \`@${decorator.expression.getText().slice(0, 60)}\` makes of it is not followed`;
  return join(
    ...callee.alternatives.map((alternative): Value => {
      if (alternative.kind !== 'function') {
        // Of a class, code that is not here takes note; of a method it may make another one.
        return ts.isClassLike(node) && isFromOutside(machine, decorator)
          ? value
          : unknownValue(why, decorator);
      }
      if (alternative.node.parameters.length > 2) {
        return byDescriptor(machine, alternative, node, value, at, why);
      }
      const site = {
        node: decorator,
        self: UNDEFINED,
        callee,
        args: [value, contextOf(node)],
        spread: null,
        at,
      };
      return replaced(machine.invoke(alternative, site), value, why, decorator);
    }),
  );
}

/** Code of an installed package, called or named. */
function isFromOutside(machine: Machine, decorator: ts.Decorator): boolean {
  const { expression } = decorator;
  const name = ts.isCallExpression(expression) ? expression.expression : expression;
  const symbol = machine.queries.symbolOf(ts.isPropertyAccessExpression(name) ? name.name : name);
  return symbol !== null && machine.queries.externalOf(symbol) !== null;
}

/** A decorator of the older kind is given the object, the name and the descriptor, which it may change. */
function byDescriptor(
  machine: Machine,
  decorator: Extract<Value['alternatives'][number], { kind: 'function' }>,
  node: ts.MethodDeclaration | ts.ClassLikeDeclaration,
  value: Value,
  at: Point,
  why: string,
): Value {
  const descriptor = machine.newObject(node, at, { properties: new Map([['value', value]]) });
  const key = literal(node.name?.getText() ?? '');
  const args = [opaque({ description: 'a prototype' }), key, one(descriptor)];
  const answer = machine.invoke(decorator, {
    node,
    self: UNDEFINED,
    callee: one(decorator),
    args,
    spread: null,
    at,
  });
  const values = answer.alternatives.map((alternative): Value => {
    const of = alternative.kind === 'object' ? alternative : descriptor;
    const isKnown =
      alternative.kind === 'object' || (alternative.kind === 'literal' && alternative.value === undefined);
    const properties = machine.propertiesOf(of, at);
    return isKnown && !properties.has('get') && of.accessors === null
      ? (properties.get('value') ?? value)
      : unknownValue(why, node);
  });
  return join(...values);
}

function contextOf(node: ts.MethodDeclaration | ts.ClassLikeDeclaration): Value {
  return opaque({ description: `the context of \`${node.name?.getText() ?? 'a class'}\`` });
}

function replaced(answer: Value, value: Value, why: string, node: ts.Node): Value {
  return join(
    ...answer.alternatives.map((one): Value => {
      if (one.kind === 'literal' && one.value === undefined) {
        return value;
      }
      return one.kind === 'function' || one.kind === 'class' || one.kind === 'native'
        ? { alternatives: [one] }
        : unknownValue(why, node);
    }),
  );
}
