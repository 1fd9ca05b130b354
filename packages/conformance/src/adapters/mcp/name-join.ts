import { ts } from '../../../engine/typescript.mjs';
import type { Evaluator } from '../../compiler/evaluator.js';
import type { PossibleValues } from '../../compiler/possible-values.js';
import { EMPTY_SCOPE, type FunctionNode, valueOf } from '../../compiler/static-value.js';
import { bindingPath, skipWrappers } from '../../compiler/syntax.js';
import { walk } from '../../compiler/walk.js';
import type { EntryArgument } from '../../discover/discovered-tool.js';
import { argumentsByName, type Handler, type HandlerFinder } from './handlers.js';

/** A record is one of handlers when this share of its keys are names of tools. */
const RECORD_SHARE = 0.5;

interface Branch {
  readonly statements: readonly ts.Node[];
  /** What is compared with the name. */
  readonly subject: ts.Expression;
  readonly node: ts.Node;
}

/** Finds a tool's handler by the tool's name: in a record, a `switch`, an if-chain or a map. */
export class NameJoin {
  readonly #evaluator: Evaluator;
  readonly #possible: PossibleValues;
  readonly #handlers: HandlerFinder;
  readonly #files: readonly ts.SourceFile[];
  readonly #names: ReadonlySet<string>;
  #entries: Map<string, ts.Expression[]> | null = null;
  #methods: Map<string, ts.MethodDeclaration[]> | null = null;
  readonly #branches = new Map<string, Branch[]>();

  /** @param names - of all tools that are declared apart from their handlers */
  constructor(
    evaluator: Evaluator,
    possible: PossibleValues,
    handlers: HandlerFinder,
    search: { readonly files: readonly ts.SourceFile[]; readonly names: ReadonlySet<string> },
  ) {
    this.#evaluator = evaluator;
    this.#possible = possible;
    this.#handlers = handlers;
    this.#files = search.files;
    this.#names = search.names;
  }

  handlerFor(name: string): Handler | null {
    this.#index();
    for (const entry of this.#entries?.get(name) ?? []) {
      const found = this.#handlerOf(entry);
      if (found !== null) {
        return found;
      }
    }
    const [method] = this.#methods?.get(name) ?? [];
    if (method !== undefined) {
      return { execute: method, arguments: argumentsByName(method) };
    }
    const branches = this.#branches.get(name) ?? [];
    for (const branch of branches) {
      const delegated = this.#delegated(branch);
      if (delegated !== null) {
        return delegated;
      }
    }
    for (const branch of branches) {
      const dispatcher = this.#dispatcher(branch, name);
      if (dispatcher !== null) {
        return dispatcher;
      }
    }
    return null;
  }

  #handlerOf(entry: ts.Expression): Handler | null {
    const target = skipWrappers.inward(entry);
    const values = this.#possible.of(valueOf(target, EMPTY_SCOPE));
    if (values.some(({ kind }) => kind === 'function')) {
      return this.#handlers.ofExpression(target, EMPTY_SCOPE, false);
    }
    return values.map((value) => this.#handlers.ofObject(value)).find((one) => one !== null) ?? null;
  }

  #index(): void {
    if (this.#entries !== null) {
      return;
    }
    this.#entries = new Map();
    this.#methods = new Map();
    for (const file of this.#files) {
      walk(file, (node) => {
        if (ts.isObjectLiteralExpression(node)) {
          this.#record(node);
        } else if (ts.isCallExpression(node)) {
          this.#mapEntry(node);
        } else if (ts.isSwitchStatement(node)) {
          this.#switch(node);
        } else if (ts.isIfStatement(node)) {
          this.#if(node);
        }
        return true;
      });
    }
  }

  #record(node: ts.ObjectLiteralExpression): void {
    const keyed = node.properties.flatMap((property) => {
      const key = property.name === undefined ? null : keyText(this.#evaluator, property.name);
      return key === null ? [] : [{ key, property }];
    });
    const matching = keyed.filter(({ key }) => this.#names.has(key));
    if (matching.length === 0 || matching.length < keyed.length * RECORD_SHARE) {
      return;
    }
    for (const { key, property } of matching) {
      if (ts.isPropertyAssignment(property)) {
        push(this.#entries, key, property.initializer);
      } else if (ts.isShorthandPropertyAssignment(property)) {
        push(this.#entries, key, property.name);
      } else if (ts.isMethodDeclaration(property)) {
        push(this.#methods, key, property);
      }
    }
  }

  /** `handlers.set('name', handler)`, `on('name', handler)`. */
  #mapEntry(node: ts.CallExpression): void {
    const [key, value] = node.arguments;
    const name = key === undefined ? null : this.#nameIn(key);
    if (
      name !== null &&
      value !== undefined &&
      node.arguments.length === 2 &&
      ts.isPropertyAccessExpression(node.expression) &&
      /^(set|on|register|add|handle)/iu.test(node.expression.name.text)
    ) {
      push(this.#entries, name, value);
    }
  }

  #switch(node: ts.SwitchStatement): void {
    const { clauses } = node.caseBlock;
    clauses.forEach((clause, index) => {
      if (!ts.isCaseClause(clause)) {
        return;
      }
      const name = this.#nameIn(clause.expression);
      if (name === null) {
        return;
      }
      const filled = clauses.slice(index).find(({ statements }) => statements.length > 0);
      push(this.#branches, name, {
        statements: filled === undefined ? [] : [...filled.statements],
        subject: node.expression,
        node: clause,
      });
    });
  }

  #if(node: ts.IfStatement): void {
    const tests: ts.Expression[] = [node.expression];
    for (let test = tests.pop(); test !== undefined; test = tests.pop()) {
      const inner = skipWrappers.inward(test);
      if (!ts.isBinaryExpression(inner)) {
        continue;
      }
      if (inner.operatorToken.kind === ts.SyntaxKind.BarBarToken) {
        tests.push(inner.left, inner.right);
        continue;
      }
      const isEqual =
        inner.operatorToken.kind === ts.SyntaxKind.EqualsEqualsEqualsToken ||
        inner.operatorToken.kind === ts.SyntaxKind.EqualsEqualsToken;
      for (const [given, subject] of [
        [inner.left, inner.right],
        [inner.right, inner.left],
      ] as const) {
        const name = isEqual ? this.#nameIn(given) : null;
        if (name !== null) {
          push(this.#branches, name, { statements: [node.thenStatement], subject, node });
        }
      }
    }
  }

  #nameIn(node: ts.Expression): string | null {
    const target = skipWrappers.inward(node);
    if (
      !ts.isStringLiteralLike(target) &&
      !ts.isPropertyAccessExpression(target) &&
      !ts.isIdentifier(target)
    ) {
      return null;
    }
    const folded = this.#evaluator.fold(valueOf(target, EMPTY_SCOPE));
    return folded.kind === 'constant' && typeof folded.value === 'string' && this.#names.has(folded.value)
      ? folded.value
      : null;
  }

  /** A branch that only hands on to one function is that function. */
  #delegated(branch: Branch): Handler | null {
    const statements = branch.statements
      .flatMap((one) => (ts.isBlock(one) ? [...one.statements] : [one]))
      .filter((one) => !ts.isBreakStatement(one));
    const [only] = statements;
    const expression =
      only !== undefined && (ts.isReturnStatement(only) || ts.isExpressionStatement(only))
        ? only.expression
        : undefined;
    if (statements.length !== 1 || expression === undefined) {
      return null;
    }
    let call = skipWrappers.inward(expression);
    if (ts.isBinaryExpression(call) && call.operatorToken.kind === ts.SyntaxKind.EqualsToken) {
      call = skipWrappers.inward(call.right);
    }
    if (ts.isAwaitExpression(call)) {
      call = skipWrappers.inward(call.expression);
    }
    if (!ts.isCallExpression(call)) {
      return null;
    }
    const functions = this.#possible
      .of(valueOf(call.expression, EMPTY_SCOPE))
      .flatMap((one) => (one.kind === 'function' && one.node.body !== undefined ? [one.node] : []));
    const [node, other] = functions;
    // A call around other calls is a wrapper, whose arguments do the work.
    const isPlain = call.arguments.every((argument) => !containsCall(argument));
    return node === undefined || other !== undefined || !isPlain
      ? null
      : { execute: node, arguments: argumentsByName(node) };
  }

  /** The function around a branch, called with this name. */
  #dispatcher(branch: Branch, name: string): Handler | null {
    const owner = ts.findAncestor(branch.node, isFunctionNode);
    if (owner === undefined) {
      return null;
    }
    const path = this.#pathFromParameter(branch.subject, owner);
    if (path === null) {
      return null;
    }
    const constant: EntryArgument = { kind: 'constant', value: name };
    const base = argumentsByName(owner);
    return {
      execute: owner,
      arguments: base.map((given, index) => {
        if (index !== path.index) {
          return given;
        }
        return path.keys.reduceRight<EntryArgument>(
          (inner, key, depth) => ({
            kind: 'object',
            members:
              depth === path.keys.length - 1
                ? { [key]: inner, arguments: { kind: 'input' } }
                : { [key]: inner },
          }),
          constant,
        );
      }),
    };
  }

  /** `request.params.name` from the parameter `request`, however it was taken apart on the way. */
  #pathFromParameter(
    subject: ts.Expression,
    owner: FunctionNode,
  ): { readonly index: number; readonly keys: readonly string[] } | null {
    let keys: readonly string[] = [];
    let node = skipWrappers.inward(subject);
    for (let hops = 0; hops < 12; hops += 1) {
      if (ts.isPropertyAccessExpression(node)) {
        keys = [node.name.text, ...keys];
        node = skipWrappers.inward(node.expression);
        continue;
      }
      const declaration = ts.isIdentifier(node)
        ? this.#evaluator.references.symbolAt(node)?.valueDeclaration
        : undefined;
      const root =
        declaration !== undefined && ts.isBindingElement(declaration) ? bindingPath(declaration) : null;
      const target = root?.root ?? declaration;
      if (root !== null && root.keys === null) {
        return null;
      }
      keys = [...(root?.keys ?? []), ...keys];
      if (target !== undefined && ts.isParameter(target)) {
        const index = owner.parameters.indexOf(target);
        return index < 0 ? null : { index, keys };
      }
      if (target === undefined || !ts.isVariableDeclaration(target) || target.initializer === undefined) {
        return null;
      }
      node = skipWrappers.inward(target.initializer);
    }
    return null;
  }
}

/** The handler of the `tools/call` request, called for one tool. */
export function requestDispatch(node: FunctionNode, name: string): Handler {
  const params: EntryArgument = {
    kind: 'object',
    members: { name: { kind: 'constant', value: name }, arguments: { kind: 'input' } },
  };
  return { execute: node, arguments: [{ kind: 'object', members: { params } }, { kind: 'context' }] };
}

function isFunctionNode(node: ts.Node): node is FunctionNode {
  return (
    ts.isFunctionDeclaration(node) ||
    ts.isFunctionExpression(node) ||
    ts.isArrowFunction(node) ||
    ts.isMethodDeclaration(node)
  );
}

function containsCall(node: ts.Node): boolean {
  let isFound = false;
  walk(node, (child) => {
    isFound ||= ts.isFunctionLike(child);
    return !isFound;
  });
  return isFound;
}

function keyText(evaluator: Evaluator, name: ts.PropertyName): string | null {
  if (ts.isComputedPropertyName(name)) {
    const folded = evaluator.fold(valueOf(name.expression, EMPTY_SCOPE));
    return folded.kind === 'constant' ? String(folded.value) : null;
  }
  return ts.isIdentifier(name) || ts.isStringLiteralLike(name) ? name.text : null;
}

function push<T>(index: Map<string, T[]> | null, key: string, value: T): void {
  const list = index?.get(key);
  if (list === undefined) {
    index?.set(key, [value]);
  } else {
    list.push(value);
  }
}
