import { ts } from '../../engine/typescript.mjs';
import { nameText } from './class-members.js';
import { isGlobalMember } from './object-members.js';
import { returnedBy } from './possible-members.js';
import type { Possibilities, PossibleElement } from './possible-values.js';
import { isWritten } from './reduce-reference.js';
import { constant, type MutableScope, type Scope, type StaticValue, valueOf } from './static-value.js';
import { skipWrappers } from './syntax.js';

const SAME_ELEMENTS = new Set([
  'filter',
  'slice',
  'reverse',
  'sort',
  'toSorted',
  'toReversed',
  'values',
  'splice',
]);
const ONE_ELEMENT = new Set(['find', 'findLast', 'at', 'pop', 'shift', 'get']);

/** A `new Map` or `new Set`, with or without first elements. */
export function isCollection(node: ts.NewExpression): boolean {
  return ts.isIdentifier(node.expression) && /^(Weak)?(Set|Map)$/u.test(node.expression.text);
}

/** The elements of a list, the values of a record, the exports of a module. */
export function elementsOf(possible: Possibilities, leaf: StaticValue): readonly PossibleElement[] {
  switch (leaf.kind) {
    case 'expression':
      return elementsOfExpression(possible, leaf.node, leaf.scope);
    case 'array':
      return leaf.items.map((value) => ({ key: null, value }));
    case 'merged':
      return leaf.parts.flatMap((part) => possible.elements(part));
    case 'choice':
      return leaf.options.flatMap((option) => possible.elements(option));
    case 'module':
      return exportsOf(possible, leaf);
    case 'instance':
    case 'class':
    case 'function':
    case 'constant':
    case 'unknown':
      return [];
  }
}

function exportsOf(
  { evaluation }: Possibilities,
  leaf: StaticValue & { kind: 'module' },
): readonly PossibleElement[] {
  return evaluation.checker
    .getExportsOfModule(leaf.symbol)
    .filter(({ flags }) => (flags & (ts.SymbolFlags.Value | ts.SymbolFlags.Alias)) !== 0)
    .map(({ name }) => ({ key: name, value: evaluation.property(leaf, name) }));
}

function elementsOfExpression(
  possible: Possibilities,
  node: ts.Expression,
  scope: Scope,
): readonly PossibleElement[] {
  if (ts.isArrayLiteralExpression(node)) {
    const own = node.elements.flatMap((element) =>
      ts.isSpreadElement(element)
        ? possible.elements(valueOf(element.expression, scope))
        : [{ key: null, value: valueOf(element, scope) }],
    );
    return [...own, ...addedLater(possible, node, scope)];
  }
  if (ts.isObjectLiteralExpression(node)) {
    return [...elementsOfLiteral(possible, node, scope), ...addedLater(possible, node, scope)];
  }
  if (ts.isNewExpression(node) && isCollection(node)) {
    const [first] = node.arguments ?? [];
    const isMap = node.expression.getText().endsWith('Map');
    const own =
      first === undefined
        ? []
        : possible.elements(valueOf(first, scope)).flatMap(({ value, key }) => {
            if (!isMap) {
              return [{ key, value }];
            }
            const [entryKey] = possible.member(value, '0');
            const text = entryKey === undefined ? null : textOf(possible, entryKey);
            return possible.member(value, '1').map((one) => ({ key: text, value: one }));
          });
    return [...own, ...addedLater(possible, node, scope)];
  }
  return [];
}

function elementsOfLiteral(
  possible: Possibilities,
  node: ts.ObjectLiteralExpression,
  scope: Scope,
): readonly PossibleElement[] {
  return node.properties.flatMap((property): readonly PossibleElement[] => {
    if (ts.isSpreadAssignment(property)) {
      return possible.elements(valueOf(property.expression, scope));
    }
    const key = nameText(possible.evaluation, property.name, scope);
    if (ts.isPropertyAssignment(property)) {
      return [{ key, value: valueOf(property.initializer, scope), keyNode: property.name }];
    }
    if (ts.isShorthandPropertyAssignment(property)) {
      return [{ key, value: valueOf(property.name, scope), keyNode: property.name }];
    }
    return ts.isMethodDeclaration(property)
      ? [{ key, value: { kind: 'function', node: property, scope } }]
      : [];
  });
}

/** `list.push(…)`, `map.set(key, …)`, `set.add(…)`, `record[key] = …` after the list was made. */
function addedLater(possible: Possibilities, node: ts.Expression, scope: Scope): readonly PossibleElement[] {
  const holder = holderOf(node);
  const symbol = holder === null ? undefined : possible.evaluation.references.symbolAt(holder);
  if (symbol === undefined) {
    return [];
  }
  return possible.evaluation.references.referencesTo(symbol).flatMap((reference) => {
    const { parent } = reference;
    const subject = ts.isPropertyAccessExpression(parent) && parent.name === reference ? parent : reference;
    return additionBy(possible, subject, scope);
  });
}

function additionBy(possible: Possibilities, subject: ts.Node, scope: Scope): readonly PossibleElement[] {
  const { parent } = subject;
  if (ts.isElementAccessExpression(parent) && parent.expression === subject && isWritten(parent)) {
    const key = textOf(possible, valueOf(parent.argumentExpression, scope));
    return ts.isBinaryExpression(parent.parent) ? [{ key, value: valueOf(parent.parent.right, scope) }] : [];
  }
  if (!ts.isPropertyAccessExpression(parent) || parent.expression !== subject) {
    return [];
  }
  if (isWritten(parent) && ts.isBinaryExpression(parent.parent)) {
    return [{ key: parent.name.text, value: valueOf(parent.parent.right, scope) }];
  }
  const call = parent.parent;
  if (!ts.isCallExpression(call) || call.expression !== parent) {
    return [];
  }
  const [first, second] = call.arguments;
  switch (parent.name.text) {
    case 'push':
    case 'unshift':
    case 'add':
      return call.arguments.flatMap((argument) =>
        ts.isSpreadElement(argument)
          ? possible.elements(valueOf(argument.expression, scope))
          : [{ key: null, value: valueOf(argument, scope) }],
      );
    case 'set':
      return first === undefined || second === undefined
        ? []
        : [{ key: textOf(possible, valueOf(first, scope)), value: valueOf(second, scope) }];
    default:
      return [];
  }
}

function textOf(possible: Possibilities, value: StaticValue): string | null {
  const folded = possible.evaluation.fold(value);
  return folded.kind === 'constant' && folded.value !== undefined ? String(folded.value) : null;
}

/** The name of the variable or field that holds a list. */
function holderOf(node: ts.Expression): ts.Node | null {
  const { parent } = skipWrappers.outward(node);
  if (ts.isVariableDeclaration(parent) || ts.isPropertyDeclaration(parent)) {
    return parent.name;
  }
  if (ts.isBinaryExpression(parent) && parent.operatorToken.kind === ts.SyntaxKind.EqualsToken) {
    return ts.isPropertyAccessExpression(parent.left) ? parent.left.name : parent.left;
  }
  return null;
}

/** What a call of a list's or a record's own methods answers; null for any other call. */
export function listResult(
  possible: Possibilities,
  node: ts.CallExpression,
  scope: Scope,
): readonly StaticValue[] | null {
  const [first, second] = node.arguments;
  const { expression } = node;
  if (!ts.isPropertyAccessExpression(expression)) {
    return null;
  }
  const list = (items: readonly StaticValue[]): readonly StaticValue[] => [{ kind: 'array', items, node }];
  const valuesOf = (given: ts.Expression): readonly StaticValue[] =>
    possible.elements(valueOf(given, scope)).map(({ value }) => value);
  if (first !== undefined) {
    if (isGlobalMember(expression, 'Object', 'values')) {
      return list(valuesOf(first));
    }
    if (isGlobalMember(expression, 'Object', 'entries')) {
      const entries = possible.elements(valueOf(first, scope));
      return list(entries.map((entry) => pair(entry, node)));
    }
    if (isGlobalMember(expression, 'Object', 'fromEntries')) {
      return list(valuesOf(first).flatMap((entry) => possible.member(entry, '1')));
    }
    if (isGlobalMember(expression, 'Array', 'from')) {
      return list(second === undefined ? valuesOf(first) : mapped(possible, valuesOf(first), second, scope));
    }
    if (isGlobalMember(expression, 'Object', 'assign')) {
      return [{ kind: 'merged', parts: node.arguments.map((one) => valueOf(one, scope)), node }];
    }
  }
  return methodResult(possible, node, expression, scope);
}

function methodResult(
  possible: Possibilities,
  node: ts.CallExpression,
  expression: ts.PropertyAccessExpression,
  scope: Scope,
): readonly StaticValue[] | null {
  const [first] = node.arguments;
  const method = expression.name.text;
  const isKnown =
    SAME_ELEMENTS.has(method) ||
    ONE_ELEMENT.has(method) ||
    ['map', 'flatMap', 'flat', 'concat', 'entries', 'reduce'].includes(method);
  if (!isKnown) {
    return null;
  }
  const receiver = valueOf(expression.expression, scope);
  const elements = possible.elements(receiver);
  if (elements.length === 0) {
    return null;
  }
  const values = elements.map(({ value }) => value);
  const list = (items: readonly StaticValue[]): readonly StaticValue[] => [{ kind: 'array', items, node }];
  if (ONE_ELEMENT.has(method)) {
    return values.flatMap((value) => possible.of(value));
  }
  switch (method) {
    case 'map':
      return list(first === undefined ? values : mapped(possible, values, first, scope));
    case 'flatMap':
      return list(
        (first === undefined ? values : mapped(possible, values, first, scope)).flatMap((one) =>
          possible.elements(one).map(({ value }) => value),
        ),
      );
    case 'flat':
    case 'reduce':
      return list(values.flatMap((one) => possible.elements(one).map(({ value }) => value)));
    case 'concat':
      return list([
        ...values,
        ...node.arguments.flatMap((one) => possible.elements(valueOf(one, scope)).map(({ value }) => value)),
      ]);
    case 'entries':
      return list(elements.map((entry) => pair(entry, node)));
    default:
      return list(values);
  }
}

function pair({ key, value, keyNode }: PossibleElement, node: ts.Node): StaticValue {
  return { kind: 'array', items: [constant(key ?? undefined, keyNode ?? node), value], node };
}

function mapped(
  possible: Possibilities,
  values: readonly StaticValue[],
  mapper: ts.Expression,
  scope: Scope,
): readonly StaticValue[] {
  const callees = possible.of(valueOf(mapper, scope));
  return values.flatMap((value) =>
    callees.flatMap((callee) => {
      if (callee.kind !== 'function') {
        return [];
      }
      const inner: MutableScope = new Map(callee.scope);
      const [parameter] = callee.node.parameters;
      if (parameter !== undefined) {
        inner.set(parameter, value);
      }
      return returnedBy(callee.node).map((one) => valueOf(one, inner));
    }),
  );
}
