import { ts } from '../../engine/typescript.mjs';
import { argumentsOf, bindParameters } from './apply-function.js';
import { callersOf } from './callers.js';
import { constructInstance } from './class-members.js';
import {
  type Bindable,
  EMPTY_SCOPE,
  type Evaluation,
  type MutableScope,
  type Scope,
  type StaticValue,
  valueOf,
} from './static-value.js';
import { shortText, skipWrappers } from './syntax.js';

/** One of the ways in which an open parameter is filled. */
export interface Expansion {
  /** The value again, with the parameter bound. */
  readonly value: StaticValue;
  /** The place that fills it, and what happens there. */
  readonly node: ts.Node;
  readonly message: string;
}

const LIST_METHODS = new Set(['map', 'flatMap', 'forEach', 'filter', 'find', 'some', 'every']);

/**
 * The ways in which the project fills a parameter that a value depends on: its callers, the `new` of a
 * class, the elements of the list that a loop or a callback runs over. Empty when there are none.
 */
export function expandParameter(
  evaluation: Evaluation,
  value: StaticValue,
  parameter: Bindable,
): readonly Expansion[] {
  if (ts.isVariableDeclaration(parameter)) {
    return expandLoop(evaluation, value, parameter);
  }
  const owner = parameter.parent;
  if (ts.isConstructorDeclaration(owner)) {
    return expandConstruction(evaluation, value, owner);
  }
  if (!isFunctionNode(owner)) {
    return [];
  }
  const overList = expandCallback(evaluation, value, owner);
  if (overList !== null) {
    return overList;
  }
  return callersOf(evaluation.checker, evaluation.references, owner).calls.map((call) => ({
    value: withBindings(value, (scope) => {
      bindParameters(evaluation, owner.parameters, argumentsOf(evaluation, call, scope), scope);
    }),
    node: call,
    message: `called here as ${shortText(call.expression)}`,
  }));
}

function expandLoop(
  evaluation: Evaluation,
  value: StaticValue,
  variable: ts.VariableDeclaration,
): readonly Expansion[] {
  const statement = variable.parent.parent;
  if (!ts.isForOfStatement(statement)) {
    return [];
  }
  const items = evaluation.elements(valueOf(statement.expression, scopeOf(value))) ?? [];
  return items.map((item) => ({
    value: withBindings(value, (scope) => scope.set(variable, item)),
    node: item.kind === 'expression' ? item.node : statement.expression,
    message: 'an element of the list that the loop runs over',
  }));
}

/** `list.map((element) => …)`; null when the function is no callback of a list. */
function expandCallback(
  evaluation: Evaluation,
  value: StaticValue,
  owner: FunctionWithParameters,
): readonly Expansion[] | null {
  const argument = skipWrappers.outward(owner);
  const call = argument.parent;
  if (!ts.isCallExpression(call) || call.arguments[0] !== argument) {
    return null;
  }
  const { expression } = call;
  if (!ts.isPropertyAccessExpression(expression) || !LIST_METHODS.has(expression.name.text)) {
    return null;
  }
  const items = evaluation.elements(valueOf(expression.expression, scopeOf(value)));
  return (
    items?.map((item) => ({
      value: withBindings(value, (scope) => {
        bindParameters(evaluation, owner.parameters, [item], scope);
      }),
      node: item.kind === 'expression' ? item.node : expression.expression,
      message: 'an element of the list that the callback is called for',
    })) ?? null
  );
}

function expandConstruction(
  evaluation: Evaluation,
  value: StaticValue,
  owner: ts.ConstructorDeclaration,
): readonly Expansion[] {
  const node = value.kind === 'instance' ? value.node : owner.parent;
  return callersOf(evaluation.checker, evaluation.references, node)
    .calls.filter((call) => ts.isNewExpression(call))
    .map((call) => ({
      value:
        value.kind === 'instance'
          ? constructInstance(evaluation, node, (scope) => argumentsOf(evaluation, call, scope), EMPTY_SCOPE)
          : withBindings(value, (scope) => {
              bindParameters(evaluation, owner.parameters, argumentsOf(evaluation, call, scope), scope);
            }),
      node: call,
      message: `constructed here as ${shortText(call.expression)}`,
    }));
}

type FunctionWithParameters =
  ts.FunctionDeclaration | ts.FunctionExpression | ts.ArrowFunction | ts.MethodDeclaration;

function isFunctionNode(node: ts.Node): node is FunctionWithParameters {
  return (
    ts.isFunctionDeclaration(node) ||
    ts.isFunctionExpression(node) ||
    ts.isArrowFunction(node) ||
    ts.isMethodDeclaration(node)
  );
}

function scopeOf(value: StaticValue): Scope {
  return 'scope' in value ? value.scope : EMPTY_SCOPE;
}

function withBindings(value: StaticValue, bind: (scope: MutableScope) => unknown): StaticValue {
  if (!('scope' in value)) {
    return value;
  }
  const scope: MutableScope = new Map();
  // What was bound before may depend on what is bound now: an argument that is a parameter further out.
  for (const [key, bound] of value.scope) {
    scope.set(key, repoint(bound, value.scope, scope));
  }
  bind(scope);
  return { ...value, scope };
}

function repoint(value: StaticValue, from: Scope, to: Scope): StaticValue {
  if (value.kind === 'array') {
    return { ...value, items: value.items.map((item) => repoint(item, from, to)) };
  }
  return 'scope' in value && value.scope === from ? { ...value, scope: to } : value;
}
