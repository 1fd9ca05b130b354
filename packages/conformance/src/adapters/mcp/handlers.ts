import { ts } from '../../../engine/typescript.mjs';
import type { Evaluator } from '../../compiler/evaluator.js';
import type { PossibleValues } from '../../compiler/possible-values.js';
import type { FunctionNode, Scope, StaticValue } from '../../compiler/static-value.js';
import { valueOf } from '../../compiler/static-value.js';
import { skipWrappers } from '../../compiler/syntax.js';
import { walk } from '../../compiler/walk.js';
import type { EntryArgument, ToolDefinition } from '../../discover/discovered-tool.js';
import { HANDLER_KEYS, HANDLER_LIKE } from './contract.js';

/** The code that answers a tool's calls, and what it is called with. */
export interface Handler {
  readonly execute: NonNullable<ToolDefinition['execute']>;
  readonly arguments: readonly EntryArgument[];
  /** The call of the project's own that makes another function of it: `logged(handler)`. What it adds runs too. */
  readonly around?: ts.CallExpression;
}

const INPUT: EntryArgument = { kind: 'input' };
const CONTEXT: EntryArgument = { kind: 'context' };
const INPUT_NAMES =
  /^_?(args?|arguments|params?|parameters|input|request|req|payload|opts|options|data|props|toolArgs|rawArgs|toolInput|body|query)$/iu;

/** Finds the function that does a tool's work behind what a server was given. */
export class HandlerFinder {
  readonly #evaluator: Evaluator;
  readonly #possible: PossibleValues;

  constructor(evaluator: Evaluator, possible: PossibleValues) {
    this.#evaluator = evaluator;
    this.#possible = possible;
  }

  /** The handler that an expression gives, seen through wrappers like `logged(handler)`. */
  ofExpression(node: ts.Expression, scope: Scope, isBound: boolean): Handler | null {
    const target = skipWrappers.inward(node);
    if (ts.isCallExpression(target)) {
      const inner = [...target.arguments].reverse().flatMap((argument) => this.#functions(argument, scope));
      const [only] = inner;
      if (only !== undefined) {
        const handler = this.#through(only, scope, isBound);
        const isOwn = !isBound && this.#functions(target.expression, scope).length > 0;
        return isOwn ? { ...handler, around: target } : handler;
      }
    }
    const [found] = this.#functions(target, scope);
    if (found === undefined) {
      return ts.isObjectLiteralExpression(target)
        ? this.ofObject(valueOf(target, scope))
        : { execute: target, arguments: [INPUT, CONTEXT] };
    }
    return this.#through(found, scope, isBound);
  }

  /** The handler that an object or a class holds under one of the usual names. */
  ofObject(value: StaticValue): Handler | null {
    for (const key of [...HANDLER_KEYS, 'createTask']) {
      for (const member of this.#possible.member(value, key)) {
        if (member.kind === 'function' && member.node.body !== undefined) {
          const handler = this.#ownCode(value, member);
          const made = madeBy(value, key, member.node);
          return made === null ? handler : { ...handler, execute: made };
        }
      }
    }
    return null;
  }

  /** The method that a specification names as text, `{ handler: 'findNote' }`, and that is called as `this[handler]`. */
  byMethodName(specifications: readonly StaticValue[], near: ts.Node): Handler | null {
    for (const value of specifications.flatMap((one) => this.#possible.of(one))) {
      if (value.kind !== 'expression' || !ts.isObjectLiteralExpression(value.node)) {
        continue;
      }
      for (const key of HANDLER_KEYS) {
        const folded = this.#evaluator.fold(this.#evaluator.property(value, key));
        if (folded.kind === 'constant' && typeof folded.value === 'string') {
          const method = this.#methodNamed(folded.value, near, value.node);
          if (method !== null) {
            return { execute: method, arguments: argumentsByName(method) };
          }
        }
      }
    }
    return null;
  }

  /** Of several methods with a name the one in the same class, else the one that lies nearest by its path. */
  #methodNamed(name: string, ...near: readonly ts.Node[]): FunctionNode | null {
    const methods = this.#possible.bindings.methodsNamed(name).filter(({ parent }) => ts.isClassLike(parent));
    const [first] = methods;
    const around = near.map((node) => ts.findAncestor(node, ts.isClassLike));
    const inSame = methods.find(({ parent }) => around.some((one) => one === parent));
    if (inSame !== undefined || first === undefined) {
      return inSame ?? null;
    }
    const score = (method: FunctionNode): number =>
      Math.max(
        ...near.map((node) => sharedPrefix(method.getSourceFile().fileName, node.getSourceFile().fileName)),
      );
    return methods.reduce((best, one) => (score(one) > score(best) ? one : best), first);
  }

  /** A method that a class inherits and that calls one of the class's own: that one does the work. */
  #ownCode(value: StaticValue, member: StaticValue & { kind: 'function' }): Handler {
    const { node } = member;
    if (value.kind === 'instance' && node.parent !== value.node && ts.isClassLike(node.parent)) {
      const called = calledOnThis(node);
      for (const key of called) {
        const own = value.node.members.find((one) => one.name?.getText() === key && codeOf(one) !== null);
        const code = own === undefined ? null : codeOf(own);
        if (code !== null && (HANDLER_LIKE.test(key) || (HANDLER_KEYS as readonly string[]).includes(key))) {
          return { execute: code, arguments: argumentsByName(code) };
        }
      }
    }
    return { execute: node, arguments: argumentsByName(node) };
  }

  #functions(node: ts.Expression, scope: Scope): readonly (StaticValue & { kind: 'function' })[] {
    return this.#possible
      .of(valueOf(node, scope))
      .filter((one): one is StaticValue & { kind: 'function' } => one.kind === 'function')
      .filter(({ node: { body } }) => body !== undefined);
  }

  /** `(args) => tool.run(args)` inside a loop or a wrapper: what it calls is the tool's own. */
  #through(found: StaticValue & { kind: 'function' }, scope: Scope, isBound: boolean): Handler {
    const direct: Handler = { execute: found.node, arguments: argumentsByName(found.node) };
    if (!isBound) {
      return direct;
    }
    const inner = new Map([...found.scope, ...scope]);
    const [delegate] = this.#delegates(found.node, inner);
    return (
      (delegate?.isOwn === true ? delegate.handler : null) ??
      this.#ofBound(scope) ??
      delegate?.handler ??
      direct
    );
  }

  /** The handler of the one object that a loop or a caller bound: somebody else looks it up and calls it. */
  #ofBound(scope: Scope): Handler | null {
    const objects = [...scope.values()].filter(
      (value) => value.kind === 'expression' && ts.isObjectLiteralExpression(value.node),
    );
    const [only] = objects;
    return objects.length === 1 && only !== undefined ? this.ofObject(only) : null;
  }

  /** What a wrapper calls of the tool that is bound; `isOwn` where it is a member of the tool, not of `this`. */
  #delegates(
    node: FunctionNode,
    scope: Scope,
  ): readonly { readonly handler: Handler; readonly isOwn: boolean }[] {
    const calls: ts.CallExpression[] = [];
    if (node.body !== undefined) {
      walk(node.body, (child) => {
        if (ts.isCallExpression(child)) {
          calls.push(child);
        }
        return true;
      });
    }
    const found = calls.flatMap((call) => {
      if (!this.#isOfTool(call.expression, scope)) {
        return [];
      }
      return this.#possible.of(valueOf(call.expression, scope)).flatMap((callee) => {
        if (callee.kind !== 'function' || callee.node.body === undefined) {
          return [];
        }
        const self = ts.isPropertyAccessExpression(call.expression)
          ? this.#possible.of(valueOf(call.expression.expression, scope))[0]
          : undefined;
        const own = self === undefined ? null : this.#ownCode(self, callee);
        const isOwn = own !== null && own.execute !== callee.node;
        return [
          {
            key: nameOf(call.expression),
            isOwn: !startsAtThis(call.expression),
            handler: isOwn
              ? own
              : {
                  execute:
                    (self === undefined ? null : madeBy(self, nameOf(call.expression), callee.node)) ??
                    callee.node,
                  arguments: this.#argumentsOf(call, node, scope),
                },
          },
        ];
      });
    });
    const ranked = [...HANDLER_KEYS.flatMap((key) => found.filter((one) => one.key === key)), ...found].map(
      ({ handler, isOwn }) => ({ handler, isOwn }),
    );
    if (ranked.length > 0) {
      return ranked;
    }
    // The tool as a whole goes to somebody who runs it: `context.run(tool, args)`.
    return calls.flatMap((call) =>
      call.arguments.flatMap((argument) => {
        if (!this.#isOfTool(argument, scope)) {
          return [];
        }
        return this.#possible
          .of(valueOf(argument, scope))
          .flatMap((one) => (one.kind === 'function' ? [] : [this.ofObject(one)]))
          .filter((one): one is Handler => one !== null)
          .map((handler) => ({ handler, isOwn: true }));
      }),
    );
  }

  /** Whether an expression starts at a name that stands for one tool: bound by a caller, a loop or a class. */
  #isOfTool(node: ts.Expression, scope: Scope): boolean {
    let root: ts.Expression = skipWrappers.inward(node);
    while (ts.isPropertyAccessExpression(root) || ts.isElementAccessExpression(root)) {
      root = skipWrappers.inward(root.expression);
    }
    if (root.kind === ts.SyntaxKind.ThisKeyword) {
      const owner = ts.findAncestor(root, ts.isClassLike);
      return owner !== undefined && scope.has(owner);
    }
    if (!ts.isIdentifier(root)) {
      return false;
    }
    let declaration: ts.Node | undefined = this.#evaluator.references.symbolAt(root)?.valueDeclaration;
    while (declaration !== undefined && ts.isBindingElement(declaration)) {
      declaration = declaration.parent.parent;
    }
    if (
      declaration !== undefined &&
      ts.isVariableDeclaration(declaration) &&
      !scope.has(declaration) &&
      declaration.initializer !== undefined
    ) {
      const { initializer } = declaration;
      return initializer !== node && this.#mentionsTool(initializer, scope);
    }
    return (
      declaration !== undefined &&
      (ts.isParameter(declaration) || ts.isVariableDeclaration(declaration)) &&
      scope.has(declaration)
    );
  }

  /** `const run = HANDLERS[tool.name]`: not the tool's own member, but chosen by it. */
  #mentionsTool(node: ts.Expression, scope: Scope): boolean {
    const target = skipWrappers.inward(node);
    if (ts.isElementAccessExpression(target)) {
      return this.#isOfTool(target.argumentExpression, scope) || this.#isOfTool(target.expression, scope);
    }
    return (
      (ts.isPropertyAccessExpression(target) || ts.isIdentifier(target)) && this.#isOfTool(target, scope)
    );
  }

  #argumentsOf(call: ts.CallExpression, wrapper: FunctionNode, scope: Scope): readonly EntryArgument[] {
    const [input] = wrapper.parameters;
    return call.arguments.map((argument): EntryArgument => {
      const folded = this.#evaluator.fold(valueOf(argument, scope));
      if (
        folded.kind === 'constant' &&
        folded.value !== undefined &&
        !ts.isIdentifier(skipWrappers.inward(argument))
      ) {
        return { kind: 'constant', value: folded.value };
      }
      return input !== undefined && this.#comesFrom(argument, input) ? INPUT : CONTEXT;
    });
  }

  #comesFrom(node: ts.Expression, parameter: ts.ParameterDeclaration): boolean {
    let isFrom = false;
    walk(node, (child) => {
      if (ts.isIdentifier(child)) {
        let declaration: ts.Node | undefined = this.#evaluator.references.symbolAt(child)?.valueDeclaration;
        while (declaration !== undefined && ts.isBindingElement(declaration)) {
          declaration = declaration.parent.parent;
        }
        if (declaration !== undefined && ts.isVariableDeclaration(declaration)) {
          const { initializer } = declaration;
          isFrom ||= initializer !== undefined && initializer !== node && mentions(initializer, parameter);
        }
        isFrom ||= declaration === parameter;
      }
      return !isFrom;
    });
    return isFrom;
  }
}

/**
 * The call that makes a tool's handler, `handler: withAuth(readNote)`: the function that it answers is the same code for every
 * tool, and only the call tells what this one's does.
 */
function madeBy(tool: StaticValue, key: string, handler: FunctionNode): ts.CallExpression | null {
  if (tool.kind !== 'expression' || !ts.isObjectLiteralExpression(tool.node)) {
    return null;
  }
  const property = tool.node.properties.find(
    (one): one is ts.PropertyAssignment => ts.isPropertyAssignment(one) && one.name.getText() === key,
  );
  const made = property === undefined ? undefined : skipWrappers.inward(property.initializer);
  const isInside = ts.findAncestor(handler, (node) => node === made) !== undefined;
  return made !== undefined && ts.isCallExpression(made) && !isInside ? made : null;
}

function mentions(node: ts.Node, parameter: ts.ParameterDeclaration): boolean {
  const name = ts.isIdentifier(parameter.name) ? parameter.name.text : null;
  let isMentioned = false;
  walk(node, (child) => {
    isMentioned ||= ts.isIdentifier(child) && child.text === name;
    return !isMentioned;
  });
  return isMentioned;
}

function startsAtThis(node: ts.Expression): boolean {
  let root: ts.Expression = skipWrappers.inward(node);
  while (ts.isPropertyAccessExpression(root) || ts.isElementAccessExpression(root)) {
    root = skipWrappers.inward(root.expression);
  }
  return root.kind === ts.SyntaxKind.ThisKeyword;
}

function sharedPrefix(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) {
    length += 1;
  }
  return length;
}

function nameOf(node: ts.Expression): string {
  return ts.isPropertyAccessExpression(node) ? node.name.text : ts.isIdentifier(node) ? node.text : '';
}

function calledOnThis(node: FunctionNode): readonly string[] {
  const names: string[] = [];
  if (node.body !== undefined) {
    walk(node.body, (child) => {
      if (
        ts.isPropertyAccessExpression(child) &&
        child.expression.kind === ts.SyntaxKind.ThisKeyword &&
        ts.isCallExpression(child.parent)
      ) {
        names.push(child.name.text);
      }
      return true;
    });
  }
  return names;
}

function codeOf(member: ts.ClassElement): FunctionNode | null {
  if (ts.isMethodDeclaration(member) && member.body !== undefined) {
    return member;
  }
  const initializer = ts.isPropertyDeclaration(member) ? member.initializer : undefined;
  return initializer !== undefined &&
    (ts.isArrowFunction(initializer) || ts.isFunctionExpression(initializer))
    ? initializer
    : null;
}

/** Which parameter takes the model's input: the one that is called so or taken apart, else the first. */
export function argumentsByName(node: FunctionNode): readonly EntryArgument[] {
  const isInput = (parameter: ts.ParameterDeclaration): boolean =>
    ts.isObjectBindingPattern(parameter.name) ||
    (ts.isIdentifier(parameter.name) && INPUT_NAMES.test(parameter.name.text));
  const first = node.parameters.findIndex(
    (parameter) => ts.isIdentifier(parameter.name) && INPUT_NAMES.test(parameter.name.text),
  );
  const chosen = Math.max(first >= 0 ? first : node.parameters.findIndex(isInput), 0);
  const count = Math.max(node.parameters.length, 2);
  return Array.from({ length: count }, (_, index) => (index === chosen ? INPUT : CONTEXT));
}
