import { ts } from '../../engine/typescript.mjs';
import { argumentsOf, bindParameters } from './apply-function.js';
import { callersOf } from './callers.js';
import type { Possibilities } from './possible-values.js';
import {
  EMPTY_SCOPE,
  type Bindable,
  type FunctionNode,
  type MutableScope,
  type Scope,
  type StaticValue,
  valueOf,
} from './static-value.js';
import { skipWrappers } from './syntax.js';
import { walk } from './walk.js';

/** One way in which a parameter, with the others of its function, or a loop's variable is filled. */
export interface PossibleBinding {
  readonly scope: Scope;
  /** The call, or the element of the list; null where it has no place in the source. */
  readonly node: ts.Node | null;
}

const LIST_METHODS = new Set(['map', 'flatMap', 'forEach', 'filter', 'find', 'some', 'every']);
const MAX_BINDINGS = 3000;
const MAX_NESTING = 6;

/** Who fills a function's parameters: callers, lists that call back, code that was handed the function. */
export class PossibleBindings {
  readonly #possible: Possibilities;
  readonly #active = new Set<ts.Node>();
  /** By function, where nothing around it is bound. */
  readonly #known = new Map<ts.Node, readonly PossibleBinding[]>();
  #methodsByName: Map<string, FunctionNode[]> | null = null;
  #callsByName: Map<string, ts.CallExpression[]> | null = null;
  #subclasses: Map<ts.ClassLikeDeclaration, ts.ClassLikeDeclaration[]> | null = null;

  constructor(possible: Possibilities) {
    this.#possible = possible;
  }

  of(declaration: Bindable, scope: Scope): readonly PossibleBinding[] {
    const { parent } = declaration;
    if (ts.isVariableDeclaration(declaration)) {
      const statement = parent.parent;
      return ts.isForOfStatement(statement)
        ? this.#elements(valueOf(statement.expression, scope), (value) => new Map([[declaration, value]]))
        : [];
    }
    return isFunction(parent) ? this.ofFunction(parent, scope) : [];
  }

  /** @param scope - what is known around the function, for a callback of a list that stands in it */
  ofFunction(node: FunctionNode, scope: Scope = EMPTY_SCOPE): readonly PossibleBinding[] {
    const known = scope.size === 0 ? this.#known.get(node) : undefined;
    if (known !== undefined || this.#active.has(node)) {
      return known ?? [];
    }
    this.#active.add(node);
    const found = [...this.#direct(node), ...this.#asCallback(node, scope)];
    const all = found.length > 0 ? found : this.#throughInterface(node);
    this.#active.delete(node);
    const bindings = all.slice(0, MAX_BINDINGS);
    if (scope.size === 0) {
      this.#known.set(node, bindings);
    }
    return bindings;
  }

  /** The classes that an object of a class may have: itself, unless abstract, and all below it. */
  concreteClasses(node: ts.ClassLikeDeclaration): readonly ts.ClassLikeDeclaration[] {
    const found: ts.ClassLikeDeclaration[] = [];
    const queue = [node];
    const seen = new Set<ts.Node>();
    for (let one = queue.shift(); one !== undefined; one = queue.shift()) {
      if (seen.has(one)) {
        continue;
      }
      seen.add(one);
      const below = this.subclassesOf(one);
      queue.push(...below);
      const isAbstract = (ts.getCombinedModifierFlags(one) & ts.ModifierFlags.Abstract) !== 0;
      if (!isAbstract) {
        found.push(one);
      }
    }
    return found;
  }

  subclassesOf(node: ts.ClassLikeDeclaration): readonly ts.ClassLikeDeclaration[] {
    this.#subclasses ??= this.#indexSubclasses();
    return this.#subclasses.get(node) ?? [];
  }

  #direct(node: FunctionNode): readonly PossibleBinding[] {
    const { checker, references } = this.#possible.evaluation;
    const { calls, escapes } = callersOf(checker, references, node);
    const direct = calls.map((call) => this.#bind(node, call));
    const handed = escapes.flatMap((escape) => {
      const { parent } = escape;
      return ts.isCallExpression(parent) || ts.isNewExpression(parent)
        ? this.#handedOn(node, parent, indexOfArgument(parent, escape), 0)
        : [];
    });
    return [...direct, ...handed, ...this.#asAnswer(node)];
  }

  /** A function that another one answers, `const register = createRegister(server)`, is called by that name. */
  #asAnswer(node: FunctionNode): readonly PossibleBinding[] {
    const { checker, references } = this.#possible.evaluation;
    const answer = skipWrappers.outward(node).parent;
    const maker = ts.isReturnStatement(answer) ? ts.findAncestor(answer, isFunction) : answer;
    if (!isFunction(maker ?? node) || maker === undefined || maker === node || !isFunction(maker)) {
      return [];
    }
    return callersOf(checker, references, maker).calls.flatMap((call) => {
      const use = skipWrappers.outward(call).parent;
      if (ts.isCallExpression(use) && use.expression === call) {
        return [this.#bind(node, use)];
      }
      const symbol =
        ts.isVariableDeclaration(use) && ts.isIdentifier(use.name)
          ? references.symbolAt(use.name)
          : undefined;
      return symbol === undefined
        ? []
        : references.referencesTo(symbol).flatMap((reference) => {
            const { parent } = reference;
            return ts.isCallExpression(parent) && parent.expression === reference
              ? [this.#bind(node, parent)]
              : [];
          });
    });
  }

  #asCallback(node: FunctionNode, scope: Scope): readonly PossibleBinding[] {
    const argument = skipWrappers.outward(node);
    const call = argument.parent;
    if (!ts.isCallExpression(call) && !ts.isNewExpression(call)) {
      return [];
    }
    const index = indexOfArgument(call, argument);
    const { expression } = call;
    if (index === 0 && ts.isPropertyAccessExpression(expression) && LIST_METHODS.has(expression.name.text)) {
      const [parameter] = node.parameters;
      return parameter === undefined
        ? []
        : this.#elements(valueOf(expression.expression, scope), (value) => new Map([[parameter, value]]));
    }
    return index < 0 ? [] : this.#handedOn(node, call, index, 0);
  }

  /** A function that is an argument is called by whom it was given to. */
  #handedOn(
    node: FunctionNode,
    call: ts.CallExpression | ts.NewExpression,
    index: number,
    nesting: number,
  ): readonly PossibleBinding[] {
    if (index < 0 || nesting > MAX_NESTING) {
      return [];
    }
    return this.#receiversOf(call).flatMap((receiver) => {
      const parameter = receiver.parameters[index];
      if (parameter === undefined || !ts.isIdentifier(parameter.name)) {
        return [];
      }
      const symbol = this.#possible.evaluation.references.symbolAt(parameter.name);
      const uses = symbol === undefined ? [] : this.#possible.evaluation.references.referencesTo(symbol);
      return uses.flatMap((use) => {
        const outer = skipWrappers.outward(use);
        const { parent } = outer;
        if (!ts.isCallExpression(parent) && !ts.isNewExpression(parent)) {
          return [];
        }
        return parent.expression === outer
          ? [this.#bind(node, parent)]
          : this.#handedOn(node, parent, indexOfArgument(parent, outer), nesting + 1);
      });
    });
  }

  /** The functions that a call may reach; by the method's name alone where only an interface is known. */
  #receiversOf(call: ts.CallExpression | ts.NewExpression): readonly FunctionNode[] {
    const functions = this.#possible.of(valueOf(call.expression, EMPTY_SCOPE)).flatMap((callee) => {
      if (callee.kind === 'class') {
        return callee.node.members.filter((member) => ts.isConstructorDeclaration(member));
      }
      return callee.kind === 'function' && callee.node.body !== undefined ? [callee.node] : [];
    });
    if (functions.length > 0 || !ts.isPropertyAccessExpression(call.expression)) {
      return functions;
    }
    return this.methodsNamed(call.expression.name.text);
  }

  /** The methods of that name, of classes and of objects. */
  methodsNamed(name: string): readonly FunctionNode[] {
    this.#methodsByName ??= this.#indexMethods();
    return this.#methodsByName.get(name) ?? [];
  }

  /** Nobody calls it by a name that leads here: calls of a method with its name, on whatever object. */
  #throughInterface(node: FunctionNode): readonly PossibleBinding[] {
    if (!ts.isMethodDeclaration(node) || !ts.isIdentifier(node.name)) {
      return [];
    }
    this.#callsByName ??= this.#indexCalls();
    return (this.#callsByName.get(node.name.text) ?? [])
      .filter((call) => this.#isOpen(call))
      .map((call) => this.#bind(node, call));
  }

  /** Whether the compiler does not know the code behind a call either. */
  #isOpen(call: ts.CallExpression): boolean {
    const symbol = this.#possible.evaluation.references.symbolAt(
      ts.isPropertyAccessExpression(call.expression) ? call.expression.name : call.expression,
    );
    const declaration = symbol?.valueDeclaration;
    return (
      declaration === undefined ||
      ts.isMethodSignature(declaration) ||
      ts.isPropertySignature(declaration) ||
      (ts.isMethodDeclaration(declaration) && declaration.body === undefined)
    );
  }

  #bind(node: FunctionNode, call: ts.CallExpression | ts.NewExpression): PossibleBinding {
    const { evaluation } = this.#possible;
    const scope: MutableScope = new Map();
    const args = argumentsOf(evaluation, call, EMPTY_SCOPE) ?? untilSpread(call);
    bindParameters(evaluation, node.parameters, args, scope);
    return { scope, node: call };
  }

  #elements(list: StaticValue, bind: (value: StaticValue) => Scope): readonly PossibleBinding[] {
    return this.#possible.elements(list).map(({ value }) => ({
      scope: bind(value),
      node: nodeOf(value) ?? nodeOf(list),
    }));
  }

  #indexMethods(): Map<string, FunctionNode[]> {
    const index = new Map<string, FunctionNode[]>();
    this.#walkFiles((node) => {
      const name =
        ts.isMethodDeclaration(node) && node.body !== undefined
          ? node.name
          : (ts.isArrowFunction(node) || ts.isFunctionExpression(node)) &&
              (ts.isPropertyAssignment(node.parent) || ts.isPropertyDeclaration(node.parent))
            ? node.parent.name
            : undefined;
      if (name !== undefined && ts.isIdentifier(name)) {
        add(index, name.text, node as FunctionNode);
      }
    });
    return index;
  }

  #indexCalls(): Map<string, ts.CallExpression[]> {
    const index = new Map<string, ts.CallExpression[]>();
    this.#walkFiles((node) => {
      if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
        add(index, node.expression.name.text, node);
      }
    });
    return index;
  }

  #indexSubclasses(): Map<ts.ClassLikeDeclaration, ts.ClassLikeDeclaration[]> {
    const index = new Map<ts.ClassLikeDeclaration, ts.ClassLikeDeclaration[]>();
    this.#walkFiles((node) => {
      if (!ts.isClassLike(node)) {
        return;
      }
      const clause = node.heritageClauses?.find(({ token }) => token === ts.SyntaxKind.ExtendsKeyword);
      const base = clause?.types[0]?.expression;
      if (base === undefined) {
        return;
      }
      for (const found of this.#possible.of(valueOf(base, EMPTY_SCOPE))) {
        if (found.kind === 'class') {
          add(index, found.node, node);
        }
      }
    });
    return index;
  }

  #walkFiles(visit: (node: ts.Node) => void): void {
    for (const file of this.#possible.evaluation.project.ownFiles) {
      walk(file, (node) => {
        visit(node);
        return true;
      });
    }
  }
}

function add<K, V>(index: Map<K, V[]>, key: K, value: V): void {
  const list = index.get(key);
  if (list === undefined) {
    index.set(key, [value]);
  } else {
    list.push(value);
  }
}

function isFunction(node: ts.Node): node is FunctionNode {
  return (
    ts.isFunctionDeclaration(node) ||
    ts.isFunctionExpression(node) ||
    ts.isArrowFunction(node) ||
    ts.isMethodDeclaration(node) ||
    ts.isConstructorDeclaration(node)
  );
}

function untilSpread(call: ts.CallExpression | ts.NewExpression): readonly StaticValue[] {
  const args = call.arguments ?? [];
  const spread = args.findIndex((argument) => ts.isSpreadElement(argument));
  return args.slice(0, spread < 0 ? undefined : spread).map((one) => valueOf(one, EMPTY_SCOPE));
}

function indexOfArgument(call: ts.CallExpression | ts.NewExpression, node: ts.Node): number {
  return (call.arguments ?? ([] as readonly ts.Expression[])).findIndex((argument) => argument === node);
}

function nodeOf(value: StaticValue): ts.Node | null {
  return 'node' in value ? value.node : null;
}
