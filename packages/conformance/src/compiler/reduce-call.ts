import { ts } from '../../engine/typescript.mjs';
import { applyFunction, argumentsOf } from './apply-function.js';
import { constructInstance } from './class-members.js';
import { isGlobalMember, literalKeys } from './object-members.js';
import { importedFrom } from './reduce-reference.js';
import {
  ABSENT,
  constant,
  type Evaluation,
  notConstant,
  type Scope,
  type StaticValue,
  undecided,
  valueOf,
} from './static-value.js';
import { shortText } from './syntax.js';

const SAME_ELEMENTS = new Set([
  'filter',
  'slice',
  'reverse',
  'sort',
  'toSorted',
  'toReversed',
  'concat',
  'flat',
]);

/** What a call answers, as far as the source says. */
export function reduceCall(evaluation: Evaluation, node: ts.CallExpression, scope: Scope): StaticValue {
  const [first] = node.arguments;
  if (first !== undefined && answersFirstArgument(evaluation, node)) {
    return valueOf(first, scope);
  }
  if (node.expression.kind === ts.SyntaxKind.ImportKeyword || isRequire(node)) {
    return loadedModule(evaluation, node, first);
  }
  if (isGlobalMember(node.expression, 'Object', 'assign')) {
    return mergedObject(node, scope);
  }
  const list = globalList(evaluation, node, scope) ?? listMethod(evaluation, node, scope);
  if (list !== null) {
    return list;
  }
  const membership = membershipTest(evaluation, node, scope);
  if (membership !== null) {
    return membership;
  }
  const text = textMethod(evaluation, node, scope);
  if (text !== null) {
    return text;
  }
  const callee = evaluation.reduce(valueOf(node.expression, scope));
  if (callee.kind === 'function') {
    return applyFunction(evaluation, callee.node, callee.scope, argumentsOf(evaluation, node, scope));
  }
  if (
    callee.kind === 'expression' &&
    (ts.isArrowFunction(callee.node) || ts.isFunctionExpression(callee.node))
  ) {
    return applyFunction(evaluation, callee.node, callee.scope, argumentsOf(evaluation, node, scope));
  }
  if (callee.kind === 'choice') {
    return undecided(`which function ${shortText(node.expression)} is depends: ${callee.cause.why}`, node);
  }
  return answerOfUnknown(evaluation, node, callee);
}

/** `new` of a class of the project is an object that can be looked into; of a list, its elements. */
export function reduceNew(evaluation: Evaluation, node: ts.NewExpression, scope: Scope): StaticValue {
  const callee = evaluation.reduce(valueOf(node.expression, scope));
  if (callee.kind === 'class') {
    const args = argumentsOf(evaluation, node, scope);
    return constructInstance(evaluation, callee.node, () => args, callee.scope);
  }
  const [first] = node.arguments ?? [];
  if (ts.isIdentifier(node.expression) && /^(Set|Map)$/u.test(node.expression.text)) {
    const items = first === undefined ? [] : evaluation.elements(valueOf(first, scope));
    if (items !== null) {
      return { kind: 'array', items, node };
    }
  }
  return callee.kind === 'unknown' && callee.parameter !== undefined
    ? callee
    : undecided(`${shortText(node)} makes an object of a class whose code cannot be found`, node);
}

function answersFirstArgument(evaluation: Evaluation, node: ts.CallExpression): boolean {
  const { expression } = node;
  return (
    ['freeze', 'seal', 'preventExtensions'].some((member) => isGlobalMember(expression, 'Object', member)) ||
    isGlobalMember(expression, 'Promise', 'resolve') ||
    (ts.isIdentifier(expression) && expression.text === 'structuredClone') ||
    evaluation.contract.isIdentityCall(node)
  );
}

function isRequire(node: ts.CallExpression): boolean {
  return (
    ts.isIdentifier(node.expression) && node.expression.text === 'require' && node.arguments.length === 1
  );
}

function loadedModule(
  evaluation: Evaluation,
  node: ts.CallExpression,
  specifier: ts.Expression | undefined,
): StaticValue {
  if (specifier === undefined || !ts.isStringLiteralLike(specifier)) {
    return undecided(`which module ${shortText(node)} loads is not known`, node);
  }
  if (specifier.text.endsWith('.json')) {
    return notConstant(`it is read from the JSON file ${specifier.text}`, node);
  }
  const symbol = evaluation.checker.getSymbolAtLocation(specifier);
  return symbol === undefined
    ? undecided(`the module ${JSON.stringify(specifier.text)} cannot be found`, node)
    : { kind: 'module', symbol, node };
}

/** `Object.assign(a, b)` as the literal `{ ...a, ...b }`. */
function mergedObject(node: ts.CallExpression, scope: Scope): StaticValue {
  return { kind: 'merged', parts: node.arguments.map((argument) => valueOf(argument, scope)), node };
}

function globalList(evaluation: Evaluation, node: ts.CallExpression, scope: Scope): StaticValue | null {
  const [first, mapper] = node.arguments;
  if (first === undefined) {
    return null;
  }
  const argument = valueOf(first, scope);
  if (isGlobalMember(node.expression, 'Array', 'from')) {
    const items = evaluation.elements(argument);
    return items === null ? null : { kind: 'array', items: mapped(evaluation, items, mapper, scope), node };
  }
  const member = ['keys', 'values', 'entries'].find((one) => isGlobalMember(node.expression, 'Object', one));
  if (member === undefined) {
    return null;
  }
  const object = evaluation.reduce(argument);
  const keys =
    object.kind === 'expression' && ts.isObjectLiteralExpression(object.node)
      ? literalKeys(evaluation, object.node, object.scope)
      : null;
  if (keys === null) {
    return object.kind === 'unknown' ? object : null;
  }
  const items = keys.map((key): StaticValue => {
    const name = constant(key, node);
    const value = evaluation.property(object, key);
    return member === 'keys'
      ? name
      : member === 'values'
        ? value
        : { kind: 'array', items: [name, value], node };
  });
  return { kind: 'array', items, node };
}

function listMethod(evaluation: Evaluation, node: ts.CallExpression, scope: Scope): StaticValue | null {
  const { expression } = node;
  if (!ts.isPropertyAccessExpression(expression)) {
    return null;
  }
  const method = expression.name.text;
  if (method !== 'map' && method !== 'flatMap' && method !== 'join' && !SAME_ELEMENTS.has(method)) {
    return null;
  }
  const items = evaluation.elements(valueOf(expression.expression, scope));
  const [argument] = node.arguments;
  if (items === null) {
    return null;
  }
  if (method === 'join') {
    return joined(evaluation, items, argument, scope);
  }
  if (method === 'map' || method === 'flatMap') {
    return { kind: 'array', items: mapped(evaluation, items, argument, scope), node };
  }
  const more =
    method === 'concat' && argument !== undefined ? evaluation.elements(valueOf(argument, scope)) : [];
  return more === null ? null : { kind: 'array', items: [...items, ...more], node };
}

const CHANGING = new Set(['add', 'delete', 'clear', 'push', 'unshift', 'pop', 'shift', 'splice', 'set']);

/** Whether a named collection gains or loses elements after it was made. */
function isChanged(evaluation: Evaluation, node: ts.Expression): boolean {
  const name = ts.isPropertyAccessExpression(node) ? node.name : node;
  const symbol = ts.isIdentifier(name) ? evaluation.references.symbolAt(name) : undefined;
  return (
    symbol !== undefined &&
    evaluation.references.referencesTo(symbol).some((reference) => {
      const holder =
        ts.isPropertyAccessExpression(reference.parent) && reference.parent.name === reference
          ? reference.parent
          : reference;
      const { parent } = holder;
      return (
        ts.isPropertyAccessExpression(parent) &&
        parent.expression === holder &&
        CHANGING.has(parent.name.text)
      );
    })
  );
}

/** `set.has(name)` and `list.includes(name)`, where every element is a constant. */
function membershipTest(evaluation: Evaluation, node: ts.CallExpression, scope: Scope): StaticValue | null {
  const { expression } = node;
  const [argument] = node.arguments;
  if (
    argument === undefined ||
    !ts.isPropertyAccessExpression(expression) ||
    (expression.name.text !== 'has' && expression.name.text !== 'includes')
  ) {
    return null;
  }
  const items = evaluation.elements(valueOf(expression.expression, scope));
  const wanted = evaluation.fold(valueOf(argument, scope));
  if (items === null || wanted.kind !== 'constant' || isChanged(evaluation, expression.expression)) {
    return null;
  }
  const folded = items.map((item) => evaluation.fold(item));
  const isIn = folded.some((item) => item.kind === 'constant' && item.value === wanted.value);
  const isKnown = isIn || folded.every((item) => item.kind === 'constant');
  return isKnown ? constant(isIn, node) : null;
}

function mapped(
  evaluation: Evaluation,
  items: readonly StaticValue[],
  mapper: ts.Expression | undefined,
  scope: Scope,
): readonly StaticValue[] {
  if (mapper === undefined) {
    return items;
  }
  const callee = evaluation.reduce(valueOf(mapper, scope));
  return items.map((item, index) => {
    if (callee.kind === 'function') {
      return applyFunction(evaluation, callee.node, callee.scope, [item, constant(index)]);
    }
    if (
      callee.kind === 'expression' &&
      (ts.isArrowFunction(callee.node) || ts.isFunctionExpression(callee.node))
    ) {
      return applyFunction(evaluation, callee.node, callee.scope, [item, constant(index)]);
    }
    return undecided(`${shortText(mapper)} makes it`, mapper);
  });
}

function joined(
  evaluation: Evaluation,
  items: readonly StaticValue[],
  separator: ts.Expression | undefined,
  scope: Scope,
): StaticValue {
  const glue = separator === undefined ? constant(',') : evaluation.fold(valueOf(separator, scope));
  const parts = items.map((item) => evaluation.fold(item));
  const unknown = [glue, ...parts].find((part) => part.kind === 'unknown');
  if (unknown !== undefined) {
    return unknown;
  }
  const texts = parts.map((part) => (part.kind === 'constant' ? String(part.value) : ''));
  return constant(texts.join(glue.kind === 'constant' ? String(glue.value) : ','));
}

/** Methods of a constant text that answer another one. */
function textMethod(evaluation: Evaluation, node: ts.CallExpression, scope: Scope): StaticValue | null {
  const { expression } = node;
  if (ts.isIdentifier(expression) && expression.text === 'String' && node.arguments.length === 1) {
    const [argument] = node.arguments;
    const folded = argument === undefined ? null : evaluation.fold(valueOf(argument, scope));
    return folded?.kind === 'constant' ? constant(String(folded.value), node) : folded;
  }
  if (!ts.isPropertyAccessExpression(expression) || !isTextMethod(expression.name.text)) {
    return null;
  }
  const subject = evaluation.fold(valueOf(expression.expression, scope));
  if (subject.kind !== 'constant' || typeof subject.value !== 'string') {
    return subject.kind === 'unknown' &&
      (subject.verdict === 'not_constant' || subject.parameter !== undefined)
      ? subject
      : null;
  }
  const args = node.arguments.map((argument) => evaluation.fold(valueOf(argument, scope)));
  const unknown = args.find((argument) => argument.kind === 'unknown');
  if (unknown !== undefined) {
    return unknown;
  }
  const texts = args.map((argument) => (argument.kind === 'constant' ? String(argument.value) : ''));
  return constant(textMethods[expression.name.text](subject.value, texts), node);
}

const textMethods = {
  toLowerCase: (text: string) => text.toLowerCase(),
  toUpperCase: (text: string) => text.toUpperCase(),
  trim: (text: string) => text.trim(),
  toString: (text: string) => text,
  valueOf: (text: string) => text,
  concat: (text: string, args: readonly string[]) => text.concat(...args),
  replace: (text: string, [from = '', to = '']: readonly string[]) => text.replace(from, () => to),
  replaceAll: (text: string, [from = '', to = '']: readonly string[]) => text.replaceAll(from, () => to),
};

function isTextMethod(name: string): name is keyof typeof textMethods {
  return Object.hasOwn(textMethods, name);
}

function answerOfUnknown(evaluation: Evaluation, node: ts.CallExpression, callee: StaticValue): StaticValue {
  const shown = shortText(node.expression);
  if (callee.kind === 'unknown' && (callee.verdict === 'not_constant' || callee.parameter !== undefined)) {
    return callee;
  }
  const name = ts.isPropertyAccessExpression(node.expression) ? node.expression.name : node.expression;
  const declarations = evaluation.references.symbolAt(name)?.declarations ?? [];
  const isLibrary = declarations.some((declaration) => declaration.getSourceFile().isDeclarationFile);
  const specifier = importedFrom(evaluation, rootOf(node.expression));
  if (isLibrary || specifier?.startsWith('node:') === true) {
    return notConstant(`it is answered by a call of ${shown} at run time`, node);
  }
  if (callee.kind === 'constant' && callee.value === undefined) {
    return ABSENT;
  }
  return callee.kind === 'unknown'
    ? undecided(`it is answered by a call of ${shown}: ${callee.why}`, node)
    : undecided(`it is answered by a call of ${shown}, whose code cannot be found`, node);
}

function rootOf(node: ts.Expression): ts.Expression {
  let current = node;
  while (ts.isPropertyAccessExpression(current) || ts.isCallExpression(current)) {
    current = current.expression;
  }
  return current;
}
