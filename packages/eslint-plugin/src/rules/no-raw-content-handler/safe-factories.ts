import { AST_NODE_TYPES, ASTUtils, type TSESLint, type TSESTree } from '@typescript-eslint/utils';
import { SAFE_HANDLER_FACTORY, SDK_MODULE } from '@toolwright/sdk/contract-names';
import {
  bare,
  contains,
  dressed,
  enclosingFunction,
  isFunction,
  staticName,
  visitOwn,
  type FunctionNode,
} from '../../references/ast-shapes.js';
import { isPathSpecifier, type NamedModule } from '../../references/module-path.js';
import type { Origin } from '../../references/origin.js';
import { valueOrigins } from '../../references/value-origins.js';
import type { TypeInformation } from '../../types/type-information.js';
import { typedWrapperArgument } from './typed-safe-wrapper.js';

interface Handed {
  readonly functions: Set<FunctionNode>;
  /** Where they stand in the call of the wrapper. */
  readonly arguments: Set<TSESTree.Node>;
}

/**
 * The factories that a file hands to the safe wrapper, and what may happen in them: the only place
 * where a raw content handler may be built.
 */
export class SafeFactories {
  readonly #source: Readonly<TSESLint.SourceCode>;
  readonly #file: string;
  readonly #wrappers: readonly NamedModule[];
  readonly #types: TypeInformation | null;
  readonly #calls: readonly TSESTree.CallExpression[];
  #found: Handed | null = null;
  readonly #safe = new Map<FunctionNode, boolean>();

  constructor(
    source: Readonly<TSESLint.SourceCode>,
    file: string,
    wrappers: readonly NamedModule[],
    types: TypeInformation | null,
    calls: readonly TSESTree.CallExpression[],
  ) {
    this.#source = source;
    this.#file = file;
    this.#wrappers = wrappers;
    this.#types = types;
    this.#calls = calls;
  }

  /** The functions of this file that are handed to the safe wrapper. */
  get handed(): readonly FunctionNode[] {
    return [...this.#all.functions];
  }

  // Found when it is first asked for: most files have nothing that could be in the wrong place.
  get #all(): Handed {
    this.#found ??= this.#find();
    return this.#found;
  }

  #find(): Handed {
    const found: Handed = { functions: new Set(), arguments: new Set() };
    for (const call of this.#calls) {
      const argument = this.#factoryArgument(call);
      if (argument !== undefined) {
        found.arguments.add(bare(argument));
        for (const origin of valueOrigins(argument, this.#source)) {
          if (origin.kind === 'node' && isFunction(origin.node)) {
            found.functions.add(origin.node);
          }
        }
      }
    }
    return found;
  }

  /**
   * Whether a node is the direct work of a factory that is handed to the safe wrapper: written in it, in a
   * callback that it runs on the spot, or in a function that nothing but such work calls.
   */
  isDirectWork(node: TSESTree.Node): boolean {
    const fn = enclosingFunction(node);
    return fn !== null && this.#isSafe(fn);
  }

  /** The handed factory that a node is written in, directly or in a callback that it runs on the spot. */
  factoryOf(node: TSESTree.Node): FunctionNode | null {
    let fn = enclosingFunction(node);
    while (fn !== null && !this.#all.functions.has(fn) && isRunOnTheSpot(fn)) {
      fn = enclosingFunction(fn);
    }
    return fn !== null && this.#all.functions.has(fn) ? fn : null;
  }

  /** Whether an assignment in a factory keeps its value beyond the factory. */
  leavesFactory(target: TSESTree.Node, factory: FunctionNode): boolean {
    const node = bare(target);
    if (node.type === AST_NODE_TYPES.MemberExpression) {
      return this.leavesFactory(node.object, factory);
    }
    if (node.type !== AST_NODE_TYPES.Identifier) {
      return node.type === AST_NODE_TYPES.ThisExpression;
    }
    const variable = ASTUtils.findVariable(this.#source.getScope(node), node.name);
    const declared = variable?.defs[0]?.name;
    return declared === undefined || !contains(factory, declared);
  }

  #isSafe(fn: FunctionNode): boolean {
    const known = this.#safe.get(fn);
    if (known !== undefined) {
      return known;
    }
    this.#safe.set(fn, false);
    const isSafe = this.#judge(fn);
    this.#safe.set(fn, isSafe);
    return isSafe;
  }

  #judge(fn: FunctionNode): boolean {
    const outer = dressed(fn);
    if (this.#all.arguments.has(fn) || (isRunOnTheSpot(fn) && this.isDirectWork(outer))) {
      return true;
    }
    const { calls, escapes } = this.#referencesTo(fn);
    // A handed factory that is called elsewhere too is reported at that call; what else it is passed to
    // does with it is not known.
    return (
      !escapes &&
      (this.#all.functions.has(fn) || (calls.length > 0 && calls.every((call) => this.isDirectWork(call))))
    );
  }

  /** The calls of a named function of this file, and whether it is passed to anything but the wrapper. */
  #referencesTo(fn: FunctionNode): { calls: TSESTree.CallExpression[]; escapes: boolean } {
    const name = boundName(fn);
    const variable = name === null ? null : ASTUtils.findVariable(this.#source.getScope(name), name.name);
    const calls: TSESTree.CallExpression[] = [];
    let escapes = false;
    for (const reference of variable?.references ?? []) {
      const { identifier } = reference;
      if (reference.init === true || !reference.isRead() || this.#all.arguments.has(identifier)) {
        continue;
      }
      const { parent } = dressed(identifier);
      if (parent?.type === AST_NODE_TYPES.CallExpression && bare(parent.callee) === identifier) {
        calls.push(parent);
      } else {
        escapes ||= parent === undefined || !HARMLESS_REFERENCES.has(parent.type);
      }
    }
    return { calls, escapes };
  }

  #factoryArgument(call: TSESTree.CallExpression): TSESTree.CallExpressionArgument | undefined {
    for (const origin of valueOrigins(call.callee, this.#source)) {
      const index = this.#factoryIndex(origin);
      if (index !== null) {
        return call.arguments[index];
      }
    }
    const index =
      this.#types !== null && call.arguments.some((argument) => isFactoryLike(bare(argument)))
        ? typedWrapperArgument(call.callee, this.#types)
        : null;
    return index === null ? undefined : call.arguments[index];
  }

  #factoryIndex(origin: Origin): number | null {
    if (origin.kind === 'module') {
      return this.#isWrapper(origin.module, origin.path) ? 0 : null;
    }
    return origin.kind === 'node' && isFunction(origin.node) ? this.#forwardedParameter(origin.node) : null;
  }

  #isWrapper(module: string, path: readonly string[]): boolean {
    if (this.#wrappers.some((wrapper) => wrapper.isMeantBy(module, this.#file))) {
      return true;
    }
    // A module of the same project can re-export the wrapper; without types the file can't tell, and
    // with them the compiler decides.
    return (
      path.at(-1) === SAFE_HANDLER_FACTORY &&
      (module === SDK_MODULE || (this.#types === null && isPathSpecifier(module)))
    );
  }

  /** The parameter that a function of this file passes on to the safe wrapper, or null. */
  #forwardedParameter(fn: FunctionNode): number | null {
    let found: number | null = null;
    visitOwn(fn.body, (node) => {
      if (node.type !== AST_NODE_TYPES.CallExpression || found !== null) {
        return;
      }
      const isDirect = valueOrigins(node.callee, this.#source).some(
        (origin) => origin.kind === 'module' && this.#isWrapper(origin.module, origin.path),
      );
      const [argument] = node.arguments;
      if (!isDirect || argument === undefined) {
        return;
      }
      for (const origin of valueOrigins(argument, this.#source)) {
        if (origin.kind === 'declared' && origin.path.length === 0) {
          const index = fn.params.findIndex((parameter) => parameter === origin.declaration);
          found = index === -1 ? found : index;
        }
      }
    });
    return found;
  }
}

function isFactoryLike(node: TSESTree.Node): boolean {
  return (
    isFunction(node) ||
    node.type === AST_NODE_TYPES.Identifier ||
    node.type === AST_NODE_TYPES.MemberExpression
  );
}

/** Called where it is written, or run as the continuation of a promise. */
export function isRunOnTheSpot(fn: FunctionNode): boolean {
  const outer = dressed(fn);
  const { parent } = outer;
  if (parent?.type !== AST_NODE_TYPES.CallExpression) {
    return false;
  }
  if (parent.callee === outer) {
    return true;
  }
  const callee = bare(parent.callee);
  return callee.type === AST_NODE_TYPES.MemberExpression && CONTINUATIONS.has(staticName(callee) ?? '');
}

// What runs its callback before, or as, the work that it is part of is done.
const CONTINUATIONS: ReadonlySet<string> = new Set([
  'then',
  'catch',
  'finally',
  'map',
  'flatMap',
  'reduce',
  'find',
  'filter',
]);

// An alias is followed; an export or a type gives nobody in this file a handler.
const HARMLESS_REFERENCES: ReadonlySet<AST_NODE_TYPES> = new Set([
  AST_NODE_TYPES.ExportSpecifier,
  AST_NODE_TYPES.ExportDefaultDeclaration,
  AST_NODE_TYPES.TSTypeQuery,
  AST_NODE_TYPES.VariableDeclarator,
]);

function boundName(fn: FunctionNode): TSESTree.Identifier | null {
  if (fn.type === AST_NODE_TYPES.FunctionDeclaration) {
    return fn.id;
  }
  const { parent } = dressed(fn);
  return parent?.type === AST_NODE_TYPES.VariableDeclarator && parent.id.type === AST_NODE_TYPES.Identifier
    ? parent.id
    : null;
}
