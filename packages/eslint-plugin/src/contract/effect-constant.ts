import { AST_NODE_TYPES, ASTUtils, TSESLint, type TSESTree } from '@typescript-eslint/utils';
import { EFFECT_CONSTANT, EFFECT_MEMBERS, SDK_MODULE } from '@toolwright/sdk/contract-names';
import {
  bare,
  enclosingClasses,
  isClass,
  isFunction,
  returnedExpressions,
  staticName,
  stringValue,
  visitOwn,
  type ClassNode,
  type FunctionNode,
} from '../references/ast-shapes.js';
import { isExport, type Origin } from '../references/origin.js';
import { patternPath, valueOrigins } from '../references/value-origins.js';
import { isJsonModule, runtimeSource } from './runtime-sources.js';

type Source = Readonly<TSESLint.SourceCode>;

/** What the file says about a declared effect. */
export type EffectReading =
  /** A literal of the code; `null` is `undefined`, which declares nothing. */
  | { readonly kind: 'constant'; readonly value: string | null }
  /** Only known when the code runs; `from` says where it comes from, for a message. */
  | { readonly kind: 'configurable'; readonly from: string }
  /** The file does not say. */
  | { readonly kind: 'undecided' };

const UNDECIDED: EffectReading = { kind: 'undecided' };
const MAX_DEPTH = 16;

export function readEffect(expression: TSESTree.Node, source: Source, depth = 0): EffectReading {
  if (depth > MAX_DEPTH) {
    return UNDECIDED;
  }
  const node = bare(expression);
  const text = stringValue(node);
  if (text !== null) {
    return { kind: 'constant', value: text };
  }
  switch (node.type) {
    case AST_NODE_TYPES.Identifier:
      return readName(node, source, depth + 1);
    case AST_NODE_TYPES.MemberExpression:
      return readMember(node, source, depth + 1);
    case AST_NODE_TYPES.ConditionalExpression:
      return readConditional(node, source, depth + 1);
    case AST_NODE_TYPES.LogicalExpression:
      return readLogical(node, source, depth + 1);
    case AST_NODE_TYPES.AwaitExpression:
      return readEffect(node.argument, source, depth + 1);
    case AST_NODE_TYPES.CallExpression:
      return readCall(node, source, depth + 1);
    default:
      return fromSource(node, source);
  }
}

function fromSource(node: TSESTree.Node, source: Source): EffectReading {
  const from = runtimeSource(node, source);
  return from === null ? UNDECIDED : { kind: 'configurable', from };
}

function readName(node: TSESTree.Identifier, source: Source, depth: number): EffectReading {
  const variable = ASTUtils.findVariable(source.getScope(node), node.name);
  const definition = variable?.defs[0];
  if (variable === null || definition === undefined) {
    return node.name === 'undefined' ? { kind: 'constant', value: null } : fromSource(node, source);
  }
  const { DefinitionType } = TSESLint.Scope;
  if (definition.type === DefinitionType.ImportBinding) {
    return readOrigins(valueOrigins(node, source));
  }
  if (definition.type === DefinitionType.Parameter && isFunction(definition.node)) {
    return readArguments(definition.node, node.name, source, depth);
  }
  return definition.type === DefinitionType.Variable
    ? readVariable(variable, definition.node, node, source, depth)
    : UNDECIDED;
}

function readVariable(
  variable: TSESLint.Scope.Variable,
  declarator: TSESTree.VariableDeclarator,
  node: TSESTree.Identifier,
  source: Source,
  depth: number,
): EffectReading {
  const writes = variable.references.filter((reference) => reference.isWrite());
  if (writes.length > 1) {
    return {
      kind: 'configurable',
      from: `the variable "${variable.name}", which is assigned more than once`,
    };
  }
  if (declarator.init === null) {
    return UNDECIDED;
  }
  if (declarator.id.type === AST_NODE_TYPES.Identifier) {
    return readEffect(declarator.init, source, depth);
  }
  const from = runtimeSource(declarator.init, source);
  return from === null ? readAll(valueOrigins(node, source), source, depth) : { kind: 'configurable', from };
}

/** A factory's parameter is decided by its calls. Only a call in this file can be seen to be wrong. */
function readArguments(fn: FunctionNode, name: string, source: Source, depth: number): EffectReading {
  const index = fn.params.findIndex((parameter) => patternPath(parameter, name) !== null);
  const parameter = fn.params[index];
  const own = fn.type === AST_NODE_TYPES.FunctionDeclaration ? fn.id : boundName(fn);
  if (parameter === undefined || own === null) {
    return UNDECIDED;
  }
  const path = patternPath(parameter, name) ?? [];
  const variable = ASTUtils.findVariable(source.getScope(own), own.name);
  for (const { identifier } of variable?.references ?? []) {
    const call = identifier.parent;
    if (call.type !== AST_NODE_TYPES.CallExpression || call.callee !== identifier) {
      continue;
    }
    const argument = argumentAt(call.arguments[index], path);
    if (argument !== null) {
      const reading = readEffect(argument, source, depth);
      if (reading.kind === 'configurable') {
        return reading;
      }
    }
  }
  return UNDECIDED;
}

function argumentAt(
  argument: TSESTree.CallExpressionArgument | undefined,
  path: readonly string[],
): TSESTree.Node | null {
  let value: TSESTree.Node | null = argument ?? null;
  for (const name of path) {
    const object: TSESTree.Node | null = value === null ? null : bare(value);
    value = object?.type === AST_NODE_TYPES.ObjectExpression ? propertyValue(object, name) : null;
  }
  return value === null || value.type === AST_NODE_TYPES.SpreadElement ? null : value;
}

function propertyValue(object: TSESTree.ObjectExpression, name: string): TSESTree.Node | null {
  const property = object.properties.findLast(
    (candidate) => candidate.type === AST_NODE_TYPES.Property && staticName(candidate) === name,
  );
  return property?.type === AST_NODE_TYPES.Property ? property.value : null;
}

function boundName(fn: FunctionNode): TSESTree.Identifier | null {
  const { parent } = fn;
  return parent.type === AST_NODE_TYPES.VariableDeclarator && parent.id.type === AST_NODE_TYPES.Identifier
    ? parent.id
    : null;
}

function readMember(node: TSESTree.MemberExpression, source: Source, depth: number): EffectReading {
  const name = staticName(node);
  const isOfLiteral = valueOrigins(node.object, source).some(
    (origin) => origin.kind === 'node' && isLiteralOfMembers(origin.node),
  );
  // Another member of an object may be read when the code runs; this one is what counts.
  const from = isOfLiteral ? null : runtimeSource(node, source);
  if (from !== null) {
    return { kind: 'configurable', from };
  }
  if (name === null) {
    return UNDECIDED;
  }
  if (node.object.type === AST_NODE_TYPES.ThisExpression) {
    const [inner] = enclosingClasses(node);
    return inner === undefined ? UNDECIDED : readClassMember(inner, name, source, depth);
  }
  const root = bare(node.object);
  const variable =
    root.type === AST_NODE_TYPES.Identifier ? ASTUtils.findVariable(source.getScope(root), root.name) : null;
  if (variable?.references.some(({ identifier }) => isWriteOf(identifier, name)) === true) {
    return { kind: 'configurable', from: `"${variable.name}.${name}", which is assigned again` };
  }
  const enumMember = variable === null ? null : readEnum(variable, name);
  return enumMember ?? readAll(valueOrigins(node, source), source, depth);
}

function isLiteralOfMembers(node: TSESTree.Node): boolean {
  return node.type === AST_NODE_TYPES.ObjectExpression || node.type === AST_NODE_TYPES.ArrayExpression;
}

function readEnum(variable: TSESLint.Scope.Variable, name: string): EffectReading | null {
  for (const definition of variable.defs) {
    if (definition.type === TSESLint.Scope.DefinitionType.TSEnumName) {
      const member = definition.node.body.members.find(
        ({ id }) => (id.type === AST_NODE_TYPES.Identifier ? id.name : stringValue(id)) === name,
      );
      const value = member?.initializer === undefined ? null : stringValue(member.initializer);
      return value === null ? UNDECIDED : { kind: 'constant', value };
    }
  }
  return null;
}

function isWriteOf(identifier: TSESTree.Node, name: string): boolean {
  const member = identifier.parent;
  return (
    member?.type === AST_NODE_TYPES.MemberExpression &&
    member.object === identifier &&
    staticName(member) === name &&
    member.parent.type === AST_NODE_TYPES.AssignmentExpression &&
    member.parent.left === member
  );
}

/** The effect that a class declares: a field, a getter, or one assignment in its constructor. */
export function readClassMember(node: ClassNode, name: string, source: Source, depth = 0): EffectReading {
  const assigned = assignmentsTo(node, name);
  const members = node.body.body.filter(
    (member) =>
      (member.type === AST_NODE_TYPES.PropertyDefinition ||
        member.type === AST_NODE_TYPES.MethodDefinition) &&
      staticName(member) === name,
  );
  for (const member of members) {
    if (
      member.type === AST_NODE_TYPES.MethodDefinition &&
      member.kind === 'get' &&
      isFunction(member.value)
    ) {
      return readReturns(member.value, source, depth);
    }
    if (member.type === AST_NODE_TYPES.PropertyDefinition && member.value !== null) {
      return assigned.length > 0
        ? { kind: 'configurable', from: `"this.${name}", which is assigned again` }
        : readEffect(member.value, source, depth);
    }
  }
  const [only] = assigned;
  return only === undefined || assigned.length > 1 ? UNDECIDED : readEffect(only, source, depth);
}

function assignmentsTo(node: ClassNode, name: string): TSESTree.Expression[] {
  const values: TSESTree.Expression[] = [];
  for (const member of node.body.body) {
    if (member.type !== AST_NODE_TYPES.MethodDefinition || !isFunction(member.value)) {
      continue;
    }
    visitOwn(member.value.body, (inner) => {
      if (
        inner.type === AST_NODE_TYPES.AssignmentExpression &&
        inner.left.type === AST_NODE_TYPES.MemberExpression &&
        inner.left.object.type === AST_NODE_TYPES.ThisExpression &&
        staticName(inner.left) === name
      ) {
        values.push(inner.right);
      }
    });
  }
  return values;
}

function readConditional(node: TSESTree.ConditionalExpression, source: Source, depth: number): EffectReading {
  const test = foldTest(node.test, source, depth);
  if (test === true || test === false) {
    return readEffect(test ? node.consequent : node.alternate, source, depth);
  }
  const merged = merge([
    readEffect(node.consequent, source, depth),
    readEffect(node.alternate, source, depth),
  ]);
  if (merged.kind !== 'undecided' || test === null) {
    return merged;
  }
  return { kind: 'configurable', from: test };
}

/** The value of a condition that the code fixes, what it reads at run time, or null where the file does not say. */
function foldTest(expression: TSESTree.Node, source: Source, depth: number): boolean | string | null {
  const node = bare(expression);
  if (node.type === AST_NODE_TYPES.Literal && typeof node.value === 'boolean') {
    return node.value;
  }
  if (node.type === AST_NODE_TYPES.UnaryExpression && node.operator === '!') {
    const inner = foldTest(node.argument, source, depth);
    return typeof inner === 'boolean' ? !inner : inner;
  }
  if (node.type === AST_NODE_TYPES.BinaryExpression && /^[!=]==?$/u.test(node.operator)) {
    const left = readEffect(node.left, source, depth);
    const right = readEffect(node.right, source, depth);
    if (left.kind === 'constant' && right.kind === 'constant') {
      return (left.value === right.value) === node.operator.startsWith('=');
    }
  }
  if (node.type === AST_NODE_TYPES.Identifier) {
    const origins = valueOrigins(node, source);
    const [only] = origins;
    if (origins.length === 1 && only?.kind === 'node' && only.node !== node) {
      return foldTest(only.node, source, depth + 1);
    }
  }
  return runtimeSource(node, source);
}

function readLogical(node: TSESTree.LogicalExpression, source: Source, depth: number): EffectReading {
  const left = readEffect(node.left, source, depth);
  if (node.operator === '&&') {
    return left.kind === 'configurable' ? left : UNDECIDED;
  }
  return left.kind === 'constant' && left.value === null ? readEffect(node.right, source, depth) : left;
}

function readCall(node: TSESTree.CallExpression, source: Source, depth: number): EffectReading {
  const local = valueOrigins(node.callee, source).find(
    (origin) => origin.kind === 'node' && isFunction(origin.node),
  );
  if (local?.kind === 'node' && isFunction(local.node)) {
    return readReturns(local.node, source, depth);
  }
  return fromSource(node, source);
}

function readReturns(fn: FunctionNode, source: Source, depth: number): EffectReading {
  const values = returnedExpressions(fn);
  return values.length === 0 ? UNDECIDED : merge(values.map((value) => readEffect(value, source, depth)));
}

function readAll(origins: readonly Origin[], source: Source, depth: number): EffectReading {
  if (origins.some((origin) => origin.kind !== 'node' || isClass(origin.node))) {
    return readOrigins(origins);
  }
  return merge(
    origins.map((origin) => (origin.kind === 'node' ? readEffect(origin.node, source, depth) : UNDECIDED)),
  );
}

function readOrigins(origins: readonly Origin[]): EffectReading {
  const [only] = origins;
  if (only === undefined || origins.length > 1 || only.kind !== 'module') {
    return UNDECIDED;
  }
  if (isJsonModule(only.module)) {
    return { kind: 'configurable', from: `the JSON file ${only.module}` };
  }
  for (const [member, value] of Object.entries(EFFECT_MEMBERS)) {
    if (isExport(only, SDK_MODULE, EFFECT_CONSTANT, member)) {
      return { kind: 'constant', value };
    }
  }
  return UNDECIDED;
}

/** One constant where all agree, configurable where one is, else undecided. */
function merge(readings: readonly EffectReading[]): EffectReading {
  const configurable = readings.find(({ kind }) => kind === 'configurable');
  if (configurable !== undefined) {
    return configurable;
  }
  const [first] = readings;
  const agree = readings.every(
    (reading) => reading.kind === 'constant' && first?.kind === 'constant' && reading.value === first.value,
  );
  return agree && first !== undefined ? first : UNDECIDED;
}
