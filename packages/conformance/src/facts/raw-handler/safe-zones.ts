import { SAFE_HANDLER_FACTORY, SDK_MODULE } from '@toolwright/sdk/contract-names';
import { ts } from '../../../engine/typescript.mjs';
import { callersOf } from '../../compiler/callers.js';
import type { Evaluator } from '../../compiler/evaluator.js';
import { PackageSymbols } from '../../compiler/package-symbols.js';
import { EMPTY_SCOPE, type FunctionNode, valueOf } from '../../compiler/static-value.js';
import { enclosingFunction, skipWrappers } from '../../compiler/syntax.js';
import { walk } from '../../compiler/walk.js';
import type { LoadedProject } from '../../load/loaded-project.js';

/** The code that may build a raw handler: factories handed to the wrapper, and what only they call. */
export class SafeZones {
  readonly #evaluator: Evaluator;
  readonly #sdk: PackageSymbols;
  /** Functions handed to the wrapper, each with the arguments by which they are. */
  readonly #handed = new Map<ts.Node, Set<ts.Node>>();
  readonly #safe = new Map<ts.Node, boolean>();
  /** Calls of the wrapper, or of functions that pass a factory on to it. */
  readonly wrapperCalls: readonly ts.CallExpression[];

  constructor(project: LoadedProject, evaluator: Evaluator, files: readonly ts.SourceFile[]) {
    this.#evaluator = evaluator;
    this.#sdk = new PackageSymbols(project, SDK_MODULE);
    const calls: ts.CallExpression[] = [];
    for (const file of files) {
      walk(file, (node) => {
        if (ts.isCallExpression(node) && this.#sdk.nameOf(node.expression) === SAFE_HANDLER_FACTORY) {
          calls.push(node);
        }
        return true;
      });
    }
    this.wrapperCalls = calls;
    calls.forEach((call) => {
      this.#hand(call.arguments[0], new Set());
    });
  }

  /** The factories that were handed to the wrapper. */
  get factories(): readonly FunctionNode[] {
    return [...this.#handed.keys()] as FunctionNode[];
  }

  /** Whether code runs only as the direct work of a factory that was handed to the wrapper. */
  isSafe(node: ts.Node): boolean {
    const owner = enclosingFunction(node);
    return owner !== null && this.#isSafeFunction(owner);
  }

  /** Whether an expression is a factory in the place where the wrapper takes it. */
  isHandedOver(node: ts.Node): boolean {
    const place = skipWrappers.outward(node);
    return [...this.#handed.values()].some((places) => places.has(place) || places.has(node));
  }

  #isSafeFunction(owner: ts.SignatureDeclaration): boolean {
    const known = this.#safe.get(owner);
    if (known !== undefined) {
      return known;
    }
    this.#safe.set(owner, false);
    const isSafe = this.#judge(owner);
    this.#safe.set(owner, isSafe);
    return isSafe;
  }

  #judge(owner: ts.SignatureDeclaration): boolean {
    if (!hasCode(owner)) {
      return false;
    }
    const isHanded = this.#handed.has(owner);
    const argument = skipWrappers.outward(owner);
    const { parent } = argument;
    if (ts.isArrowFunction(owner) || ts.isFunctionExpression(owner)) {
      if (isHanded && this.isHandedOver(argument)) {
        return true;
      }
      // A callback that runs within the factory's own work, or a function that is called where it stands.
      if (ts.isCallExpression(parent) && this.isSafe(parent)) {
        return parent.expression === argument || isChained(parent);
      }
    }
    const { calls, escapes } = callersOf(this.#evaluator.checker, this.#evaluator.references, owner);
    const others = escapes.filter((escape) => !this.isHandedOver(outermost(escape)));
    const safeCalls = calls.filter((call) => this.isSafe(call));
    // A factory that is called elsewhere, too, is reported at that call.
    return others.length === 0 && (isHanded || (safeCalls.length > 0 && safeCalls.length === calls.length));
  }

  #hand(argument: ts.Expression | undefined, seen: Set<ts.Node>): void {
    if (argument === undefined || seen.has(argument)) {
      return;
    }
    seen.add(argument);
    const bound = boundFunction(argument);
    const value = this.#evaluator.reduce(valueOf(bound, EMPTY_SCOPE));
    if (value.kind === 'function') {
      const places = this.#handed.get(value.node) ?? new Set();
      places.add(skipWrappers.outward(argument)).add(bound);
      this.#handed.set(value.node, places);
      return;
    }
    if (value.kind === 'unknown' && value.parameter !== undefined && ts.isParameter(value.parameter)) {
      this.#handFromCallers(value.parameter, seen);
    }
  }

  /** A function that passes its own parameter on to the wrapper: what its callers give is handed over, too. */
  #handFromCallers(parameter: ts.ParameterDeclaration, seen: Set<ts.Node>): void {
    const owner = parameter.parent;
    if (!hasCode(owner) || !ts.isIdentifier(parameter.name)) {
      return;
    }
    const index = owner.parameters.indexOf(parameter);
    const { calls } = callersOf(this.#evaluator.checker, this.#evaluator.references, owner);
    for (const call of calls) {
      this.#hand(call.arguments?.[index], seen);
    }
  }
}

function hasCode(node: ts.SignatureDeclaration): node is FunctionNode {
  return 'body' in node && node.body !== undefined;
}

/** `open.bind(binding)` is `open`. */
function boundFunction(node: ts.Expression): ts.Expression {
  const target = skipWrappers.inward(node);
  return ts.isCallExpression(target) &&
    ts.isPropertyAccessExpression(target.expression) &&
    target.expression.name.text === 'bind'
    ? target.expression.expression
    : target;
}

/** `import(…).then(callback)`, `list.map(callback)`: the callback is done with when the work is. */
function isChained(call: ts.CallExpression): boolean {
  return (
    ts.isPropertyAccessExpression(call.expression) &&
    ['then', 'catch', 'finally', 'map', 'flatMap', 'reduce', 'find', 'filter'].includes(
      call.expression.name.text,
    )
  );
}

function outermost(reference: ts.Node): ts.Node {
  const { parent } = reference;
  return ts.isPropertyAccessExpression(parent) && parent.name === reference ? parent : reference;
}
