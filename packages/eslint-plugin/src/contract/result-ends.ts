import { AST_NODE_TYPES, ASTUtils, TSESLint, type TSESTree } from '@typescript-eslint/utils';
import {
  RESULT_FACTORIES,
  RESULT_REBUILD_METHODS,
  RESULT_TYPE,
  SDK_MODULE,
} from '@toolwright/sdk/contract-names';
import {
  bare,
  isFunction,
  returnedExpressions,
  staticName,
  type FunctionNode,
} from '../references/ast-shapes.js';
import { isGlobal } from '../references/origin.js';
import { valueOrigins } from '../references/value-origins.js';
import type { TypeInformation } from '../types/type-information.js';
import { mayBeRuledOut } from './guards.js';
import { isKnownByType, kindsOfCode } from './followed-results.js';
import { kindsOfType } from './typed-results.js';

type Source = Readonly<TSESLint.SourceCode>;

export type ResultKind = keyof typeof RESULT_FACTORIES;

/** One value that a tool's function can end with. */
export interface ResultEnd {
  /** `unknown` where the file does not say. */
  readonly kind: ResultKind | 'unknown';
  readonly target: 'absent' | 'present' | 'unknown';
  /** Where the value is made. */
  readonly node: TSESTree.Node;
  /** False for one of several values of a name or a helper: which one arrives can depend on a check. */
  readonly isCertain: boolean;
}

interface Search {
  readonly source: Source;
  readonly types: TypeInformation | null;
  readonly active: Set<TSESTree.Node>;
}

/** The results that an expression can be, through conditionals, names, promises and functions of the file. */
export function resultEnds(
  expression: TSESTree.Node,
  source: Source,
  types: TypeInformation | null,
): ResultEnd[] {
  return endsOf(expression, { source, types, active: new Set() });
}

/** The factory of ToolResult that a call is, or null. */
export function factoryKind(call: TSESTree.CallExpression, source: Source): ResultKind | null {
  const callee = bare(call.callee);
  // Nothing but a member or a name that may stand for one can be a factory.
  if (callee.type !== AST_NODE_TYPES.MemberExpression && callee.type !== AST_NODE_TYPES.Identifier) {
    return null;
  }
  if (callee.type === AST_NODE_TYPES.MemberExpression && !isFactoryName(staticName(callee))) {
    return null;
  }
  for (const origin of valueOrigins(callee, source)) {
    if (origin.kind !== 'module' || origin.module !== SDK_MODULE || origin.path.length !== 2) {
      continue;
    }
    const [type, factory] = origin.path;
    if (type === RESULT_TYPE && isFactoryName(factory)) {
      return factory;
    }
  }
  return null;
}

function isFactoryName(name: string | null | undefined): name is ResultKind {
  return name !== null && name !== undefined && Object.hasOwn(RESULT_FACTORIES, name);
}

function endsOf(expression: TSESTree.Node, search: Search): ResultEnd[] {
  const node = bare(expression);
  if (search.active.has(node) || search.active.size > 20) {
    return [unknownEnd(node)];
  }
  search.active.add(node);
  const ends = endsOfNode(node, search);
  search.active.delete(node);
  return ends;
}

function endsOfNode(node: TSESTree.Node, search: Search): ResultEnd[] {
  switch (node.type) {
    case AST_NODE_TYPES.AwaitExpression:
      return endsOf(node.argument, search);
    case AST_NODE_TYPES.ConditionalExpression:
      return [...endsOfSide(node.consequent, search), ...endsOfSide(node.alternate, search)];
    case AST_NODE_TYPES.LogicalExpression:
      return [...endsOf(node.left, search), ...endsOfSide(node.right, search)];
    case AST_NODE_TYPES.CallExpression:
      return endsOfCall(node, search);
    case AST_NODE_TYPES.Identifier:
      return endsOfName(node, search);
    default:
      return unknownOrTyped(node, search);
  }
}

/** One side of a condition, of which a constant may decide that it is never taken. */
function endsOfSide(side: TSESTree.Node, search: Search): ResultEnd[] {
  return mayBeRuledOut(side, search.source) ? [unknownEnd(side)] : endsOf(side, search);
}

function endsOfCall(call: TSESTree.CallExpression, search: Search): ResultEnd[] {
  const kind = factoryKind(call, search.source);
  if (kind !== null) {
    return [{ kind, target: targetOf(kind, call, search.source), node: call, isCertain: true }];
  }
  const callee = bare(call.callee);
  if (callee.type === AST_NODE_TYPES.MemberExpression) {
    const through = endsThroughMember(call, callee, search);
    if (through !== null) {
      return through;
    }
  }
  const helper = valueOrigins(callee, search.source).find(
    (origin) => origin.kind === 'node' && isFunction(origin.node),
  );
  return helper?.kind === 'node' && isFunction(helper.node)
    ? endsOfHelper(helper.node, search)
    : unknownOrTyped(call, search);
}

/** What a call gives that hands on or continues a result: `withContent`, `then`, `catch`, `Promise.resolve`. */
function endsThroughMember(
  call: TSESTree.CallExpression,
  callee: TSESTree.MemberExpression,
  search: Search,
): ResultEnd[] | null {
  const name = staticName(callee);
  const [first, second] = call.arguments;
  if (RESULT_REBUILD_METHODS.some((method) => method === name)) {
    return endsOf(callee.object, search);
  }
  switch (name) {
    case 'then':
      return [
        ...endsOfCallback(first, search),
        ...(second === undefined ? [] : endsOfCallback(second, search)),
      ];
    case 'catch':
      return [...endsOf(callee.object, search), ...endsOfCallback(first, search)];
    case 'finally':
      return endsOf(callee.object, search);
    case 'resolve':
      return first !== undefined &&
        valueOrigins(callee, search.source).some((origin) => isGlobal(origin, 'Promise', 'resolve'))
        ? endsOf(first, search)
        : null;
    default:
      return null;
  }
}

function endsOfCallback(callback: TSESTree.Node | undefined, search: Search): ResultEnd[] {
  const fn = callback === undefined ? undefined : bare(callback);
  return fn !== undefined && isFunction(fn)
    ? endsOfReturns(fn, search)
    : [unknownEnd(fn ?? search.source.ast)];
}

function endsOfHelper(fn: FunctionNode, search: Search): ResultEnd[] {
  if (search.active.has(fn) || fn.generator) {
    return [unknownEnd(fn)];
  }
  search.active.add(fn);
  const ends = oneOfSeveral(endsOfReturns(fn, search));
  search.active.delete(fn);
  return ends;
}

function endsOfReturns(fn: FunctionNode, search: Search): ResultEnd[] {
  return returnedExpressions(fn).flatMap((value) => endsOfSide(value, search));
}

function endsOfName(node: TSESTree.Identifier, search: Search): ResultEnd[] {
  const variable = ASTUtils.findVariable(search.source.getScope(node), node.name);
  const definition = variable?.defs[0];
  if (
    variable === null ||
    definition?.type !== TSESLint.Scope.DefinitionType.Variable ||
    definition.node.id.type !== AST_NODE_TYPES.Identifier
  ) {
    return unknownOrTyped(node, search);
  }
  const values = [
    ...(definition.node.init === null ? [] : [definition.node.init]),
    ...variable.references.flatMap(({ init, writeExpr }) =>
      init === true || writeExpr === null || writeExpr === undefined ? [] : [writeExpr],
    ),
  ];
  const ends = values.flatMap((value) => endsOf(value, search));
  if (ends.length > 0 && ends.every(({ kind }) => kind !== 'unknown')) {
    return oneOfSeveral(ends);
  }
  return values.some((value) => isRuledOut(node, value, search))
    ? [unknownEnd(node)]
    : unknownOrTyped(node, search);
}

/** Whether the code that makes a value never makes the kind that a check leaves of its type here. */
function isRuledOut(node: TSESTree.Identifier, value: TSESTree.Node, { types, source }: Search): boolean {
  if (types === null || isKnownByType(value, source)) {
    return false;
  }
  const made = kindsOfCode(value, types);
  const left = kindsOfType(types.typeOf(node), types) ?? [];
  return made !== null && !left.some(({ kind }) => made.some((one) => one.kind === kind));
}

/** A check between the value and its use can let only some of several kinds through. */
function oneOfSeveral(ends: readonly ResultEnd[]): ResultEnd[] {
  const isMixed = new Set(ends.map(({ kind, target }) => `${kind} ${target}`)).size > 1;
  return ends.map((end) => ({ ...end, isCertain: end.isCertain && !isMixed }));
}

function unknownOrTyped(node: TSESTree.Node, search: Search): ResultEnd[] {
  const kinds = search.types === null ? null : kindsOfType(search.types.typeOf(node), search.types);
  const [only] = kinds ?? [];
  return kinds?.length === 1 && only !== undefined
    ? [{ kind: only.kind, target: only.target, node, isCertain: true }]
    : [unknownEnd(node)];
}

function unknownEnd(node: TSESTree.Node): ResultEnd {
  return { kind: 'unknown', target: 'unknown', node, isCertain: false };
}

function targetOf(kind: ResultKind, call: TSESTree.CallExpression, source: Source): ResultEnd['target'] {
  if (kind !== 'error') {
    return kind === 'wrote' ? 'present' : 'absent';
  }
  const options = call.arguments[1];
  if (options === undefined) {
    return 'absent';
  }
  const object = bare(options);
  if (object.type !== AST_NODE_TYPES.ObjectExpression) {
    return isNothing(object) ? 'absent' : 'unknown';
  }
  for (const property of object.properties.toReversed()) {
    if (property.type === AST_NODE_TYPES.SpreadElement) {
      return 'unknown';
    }
    if (staticName(property) === 'target') {
      return targetIn(property.value, source);
    }
  }
  return 'absent';
}

function targetIn(value: TSESTree.Node, source: Source): ResultEnd['target'] {
  if (isNothing(value)) {
    return 'absent';
  }
  const mayBeNothing = valueOrigins(value, source).some(
    (origin) => isGlobal(origin, 'undefined') || (origin.kind === 'node' && isNothing(origin.node)),
  );
  return mayBeNothing ? 'unknown' : 'present';
}

function isNothing(node: TSESTree.Node): boolean {
  return (
    (node.type === AST_NODE_TYPES.Identifier && node.name === 'undefined') ||
    (node.type === AST_NODE_TYPES.Literal && node.value === null)
  );
}
