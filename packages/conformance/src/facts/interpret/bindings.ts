import { ts } from '../../../engine/typescript.mjs';
import { skipWrappers } from '../../compiler/syntax.js';
import { NO_GUARD, both } from '../values/guard.js';
import { join } from '../values/join.js';
import { NEVER, UNDEFINED, one, unknownValue } from '../values/make.js';
import { withGuard } from '../values/memo.js';
import type { Point, Value } from '../values/value.js';
import type { Machine } from './machine.js';
import { cellOf, containerOf, frameHolding } from './names.js';
import { propertiesToSpread } from './object-literals.js';
import { readElement } from './expressions.js';
import { meet } from './forks.js';
import { keyText } from './member-keys.js';
import { putProperty } from './put-property.js';

/** More alternatives than bits in a mask are not told apart by condition. */
const MOST_CHOICES = 30;

/** Gives a variable, or the variables of a pattern, a value. */
export function bind(machine: Machine, name: ts.BindingName, value: Value, at: Point): void {
  if (ts.isIdentifier(name)) {
    const symbol = machine.queries.symbolOf(name);
    if (symbol !== null) {
      const kept = machine.chosen(value, at);
      machine.writeCell(cellOf(at.frame, symbol), kept, at.frame, at);
      machine.noteHolder(cellOf(at.frame, symbol), kept, name, at);
    }
    return;
  }
  machine.mayThrow(at);
  if (ts.isObjectBindingPattern(name)) {
    const taken = new Set<string>();
    for (const element of name.elements) {
      if (element.dotDotDotToken !== undefined) {
        bind(machine, element.name, restOf(machine, value, taken, at, element), at);
        continue;
      }
      const property = element.propertyName ?? element.name;
      let part: Value;
      if (ts.isComputedPropertyName(property)) {
        part = readElement(machine, value, machine.evaluate(property.expression, at), at, element);
      } else if (
        ts.isIdentifier(property) ||
        ts.isStringLiteralLike(property) ||
        ts.isNumericLiteral(property)
      ) {
        taken.add(property.text);
        part = machine.readProperty(value, property.text, at, element);
      } else {
        part = UNDEFINED;
      }
      bind(machine, element.name, withDefault(machine, part, element.initializer, at), at);
    }
    return;
  }
  bindArray(machine, name, value, at);
}

function bindArray(machine: Machine, name: ts.ArrayBindingPattern, value: Value, at: Point): void {
  for (const [index, element] of name.elements.entries()) {
    if (ts.isOmittedExpression(element)) {
      continue;
    }
    if (element.dotDotDotToken !== undefined) {
      const rest = machine.newObject(element, at, {
        collection: 'array',
        others: machine.elementsOf(value, at, element),
      });
      bind(machine, element.name, one(rest), at);
      continue;
    }
    const part = elementAt(machine, value, index, at, element);
    bind(machine, element.name, withDefault(machine, part, element.initializer, at), at);
  }
}

function elementAt(machine: Machine, value: Value, index: number, at: Point, node: ts.Node): Value {
  const lists = value.alternatives.map((alternative): Value => {
    const only: Value = { alternatives: [alternative] };
    return alternative.kind === 'object' && alternative.collection === 'array'
      ? machine.readProperty(only, String(index), at, node)
      : machine.elementsOf(only, at, node);
  });
  return join(...lists);
}

/** `{ a, ...rest }`: what is left of an object. */
export function restOf(
  machine: Machine,
  value: Value,
  taken: ReadonlySet<string>,
  at: Point,
  node: ts.Node,
): Value {
  return join(
    ...value.alternatives.map((alternative): Value => {
      const { properties, others } = propertiesToSpread(machine, { alternatives: [alternative] }, at, node);
      const left = new Map([...properties].filter(([name]) => !taken.has(name)));
      return one({ ...machine.newObject(node, at, { properties: left, others }), when: alternative.when });
    }),
  );
}

export function withDefault(
  machine: Machine,
  value: Value,
  initializer: ts.Expression | undefined,
  at: Point,
): Value {
  if (initializer === undefined) {
    return value;
  }
  const isMissing = (one: Value['alternatives'][number]): boolean =>
    one.kind === 'literal' && one.value === undefined;
  const given: Value = { alternatives: value.alternatives.filter((one) => !isMissing(one)) };
  const isOpen = value.alternatives.some(
    (one) => one.kind === 'opaque' && one.type === null && one.preserved === null,
  );
  if (given.alternatives.length === value.alternatives.length && !isOpen) {
    return value;
  }
  const missing = at.state.fork();
  const there = at.state.fork();
  there.isDead = given.alternatives.length === 0;
  const [absentWhen] = value.alternatives.filter(isMissing).map(({ when }) => when);
  missing.guard = both(missing.guard, absentWhen ?? NO_GUARD) ?? missing.guard;
  return meet(at, [
    { fork: there, evaluate: () => given },
    { fork: missing, evaluate: () => machine.evaluate(initializer, at) },
  ]);
}

/** Assigns to a name, a property, or a pattern. */
export function assign(machine: Machine, node: ts.Expression, value: Value, at: Point): void {
  const target = skipWrappers.inward(node);
  if (ts.isIdentifier(target)) {
    assignName(machine, target, value, at);
    return;
  }
  if (ts.isPropertyAccessExpression(target)) {
    const of = machine.evaluate(target.expression, at);
    putProperty(machine, of, target.name.text, machine.chosen(value, at), at, target);
    return;
  }
  if (ts.isElementAccessExpression(target)) {
    const of = machine.evaluate(target.expression, at);
    const key = machine.evaluate(target.argumentExpression, at);
    const names = key.alternatives.map(keyText);
    for (const name of names) {
      if (name === null) {
        putAny(machine, of, value, at, target);
      } else {
        putProperty(
          machine,
          of,
          name,
          names.length === 1 ? value : joinKept(machine, of, name, value, at),
          at,
          target,
        );
      }
    }
    return;
  }
  if (ts.isObjectLiteralExpression(target)) {
    assignObjectPattern(machine, target, value, at);
    return;
  }
  if (ts.isArrayLiteralExpression(target)) {
    for (const [index, element] of target.elements.entries()) {
      if (ts.isSpreadElement(element)) {
        assign(machine, element.expression, machine.elementsOf(value, at, element), at);
      } else if (!ts.isOmittedExpression(element)) {
        assignWithDefault(machine, element, elementAt(machine, value, index, at, element), at);
      }
    }
  }
}

/** One of several names is assigned: this one may be left as it was. */
function joinKept(machine: Machine, of: Value, name: string, value: Value, at: Point): Value {
  const kept = of.alternatives.map((one): Value =>
    one.kind === 'object' ? (machine.propertiesOf(one, at).get(name) ?? NEVER) : NEVER,
  );
  return join(value, ...kept);
}

/** A property that is not known by name is assigned: any may have been. */
function putAny(machine: Machine, of: Value, value: Value, at: Point, node: ts.Node): void {
  machine.writeProperty(of, null, value, at);
  for (const one of of.alternatives) {
    if (one.kind === 'object') {
      const only: Value = { alternatives: [one] };
      for (const [name, before] of machine.propertiesOf(one, at)) {
        machine.writeProperty(only, name, join(before, value), at);
      }
      if (one.accessors !== null || one.of !== null) {
        machine.blur(only, unknownValue('a member whose name is computed is assigned', node), at);
      }
    } else if (one.kind === 'class' || one.kind === 'function') {
      machine.blur(
        { alternatives: [one] },
        unknownValue('a member whose name is computed is assigned', node),
        at,
      );
    }
  }
}

function assignObjectPattern(
  machine: Machine,
  target: ts.ObjectLiteralExpression,
  value: Value,
  at: Point,
): void {
  const taken = new Set<string>();
  for (const member of target.properties) {
    if (ts.isShorthandPropertyAssignment(member)) {
      taken.add(member.name.text);
      const part = machine.readProperty(value, member.name.text, at, member);
      assignName(
        machine,
        member.name,
        withDefault(machine, part, member.objectAssignmentInitializer, at),
        at,
      );
    } else if (ts.isPropertyAssignment(member) && !ts.isComputedPropertyName(member.name)) {
      taken.add(member.name.text);
      assignWithDefault(
        machine,
        member.initializer,
        machine.readProperty(value, member.name.text, at, member),
        at,
      );
    } else if (ts.isSpreadAssignment(member)) {
      assign(machine, member.expression, restOf(machine, value, taken, at, member), at);
    }
  }
}

function assignWithDefault(machine: Machine, node: ts.Expression, value: Value, at: Point): void {
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.EqualsToken) {
    assign(machine, node.left, withDefault(machine, value, node.right, at), at);
  } else {
    assign(machine, node, value, at);
  }
}

function assignName(machine: Machine, node: ts.Identifier, value: Value, at: Point): void {
  const symbol = machine.queries.symbolOf(node);
  const [declaration] = symbol?.declarations ?? [];
  if (symbol === null || declaration === undefined) {
    return;
  }
  const frame = frameHolding(at.frame, containerOf(declaration));
  if (frame === null) {
    return;
  }
  const cell = cellOf(frame, symbol);
  const before = machine.readCell(cell, frame, at) ?? NEVER;
  const kept = machine.chosen(value, at);
  machine.observer.replaced(before, kept, node, at);
  machine.writeCell(cell, kept, frame, at);
  machine.noteHolder(cell, kept, declaration, { frame, state: at.state });
}

/** Which of several texts or numbers it is decides nothing. */
function isScalar(one: Value['alternatives'][number]): boolean {
  return one.kind === 'literal'
    ? one.value !== undefined && one.value !== null
    : one.kind === 'opaque' && one.preserved === null;
}

/** Marks each of several alternatives, so that a later condition on one tells which it was. */
export function chosen(machine: Machine, value: Value, at: Point): Value {
  const { alternatives } = value;
  if (alternatives.length < 2 || alternatives.length > MOST_CHOICES || alternatives.every(isScalar)) {
    return value;
  }
  const subject = machine.identities.choice(at.frame);
  return {
    alternatives: alternatives.map((one, index) =>
      withGuard(one, new Map([...one.when, [subject, 1 << index]])),
    ),
  };
}
