import { AST_NODE_TYPES, type TSESLint, type TSESTree } from '@typescript-eslint/utils';
import { RAW_HANDLER_TYPE, SDK_MODULE } from '@toolwright/sdk/contract-names';
import {
  bare,
  isClass,
  isFunction,
  returnedExpressions,
  type ClassNode,
  type FunctionNode,
} from '../../references/ast-shapes.js';
import type { NamedModule } from '../../references/module-path.js';
import { isExport, isGlobal, memberOfOrigin, type Origin } from '../../references/origin.js';
import { entityOrigins, typeOrigins, writtenType, type TypeOrigin } from '../../references/type-origins.js';
import { valueOrigins } from '../../references/value-origins.js';

/** A raw handler that the options name. */
export interface NamedHandler {
  readonly module: NamedModule;
  readonly name: string;
}

/**
 * What one file says about raw content handlers without types: what implements the contract's type,
 * what the options name, and the classes that a factory handed to the safe wrapper returns.
 */
export class RawHandlers {
  readonly #source: Readonly<TSESLint.SourceCode>;
  readonly #file: string;
  readonly #named: readonly NamedHandler[];
  readonly #byNode = new Map<TSESTree.Node, boolean>();
  readonly #handedNodes = new Set<TSESTree.Node>();
  readonly #handedExports = new Set<string>();

  constructor(source: Readonly<TSESLint.SourceCode>, file: string, named: readonly NamedHandler[]) {
    this.#source = source;
    this.#file = file;
    this.#named = named;
  }

  /** Takes in what a factory handed to the safe wrapper returns: that is a raw handler, whatever it implements. */
  addHandedFactory(fn: FunctionNode): void {
    for (const returned of returnedExpressions(fn)) {
      for (const origin of this.origins(returned)) {
        if (origin.kind === 'node' && origin.node.type === AST_NODE_TYPES.NewExpression) {
          for (const handler of this.origins(origin.node.callee)) {
            if (handler.kind === 'node') {
              this.#handedNodes.add(handler.node);
            } else if (handler.kind === 'module') {
              this.#handedExports.add(exportKey(handler.module, handler.path));
            }
          }
        }
      }
    }
  }

  origins(node: TSESTree.Node): readonly Origin[] {
    return valueOrigins(node, this.#source);
  }

  /** Whether an expression is a raw handler's class, or a function that the options name as one. */
  isRawClass(node: TSESTree.Node): boolean {
    return this.origins(node).some((origin) => this.#isRaw(origin));
  }

  isRawClassNode(node: ClassNode): boolean {
    return this.#isRaw({ kind: 'node', node });
  }

  /** Whether a written type is that of a raw handler. */
  isRawType(node: TSESTree.TypeNode | null | undefined): boolean {
    if (node === null || node === undefined) {
      return false;
    }
    if (node.type === AST_NODE_TYPES.TSUnionType) {
      // One of several types is not decided; only nothing may stand beside it.
      const parts = node.types.filter((part) => !isNothing(part));
      return parts.length > 0 && parts.every((part) => this.isRawType(part));
    }
    return typeOrigins(node, this.#source).some(({ of, origin }) => of === 'instance' && this.#isRaw(origin));
  }

  /** Whether a value is a raw handler: constructed, or declared as one. */
  isRawValue(node: TSESTree.Node): boolean {
    return this.origins(node).some((origin) => {
      if (origin.kind === 'declared') {
        return origin.path.length === 0 && this.isRawType(writtenType(origin.declaration));
      }
      return origin.kind === 'node' && this.isConstruction(origin.node);
    });
  }

  /** Whether a node makes a raw handler on the spot: `new`, `Reflect.construct`, `Object.create`. */
  isConstruction(node: TSESTree.Node): boolean {
    if (node.type === AST_NODE_TYPES.NewExpression) {
      return this.isRawClass(node.callee);
    }
    const constructed = node.type === AST_NODE_TYPES.CallExpression ? this.reflectedClass(node) : null;
    return constructed !== null && this.isRawClass(constructed);
  }

  /** Whether calling this gives a raw handler: a function of this file that returns one, or a named one. */
  isFactory(callee: TSESTree.Node): boolean {
    return this.origins(invoked(callee)).some((origin) => {
      if (origin.kind !== 'node') {
        // A static factory such as `RawPages.open()` is a member of what the options name.
        return origin.kind === 'module' && this.#isNamedOrMember(origin);
      }
      return isFunction(origin.node) && this.returnsRaw(origin.node);
    });
  }

  returnsRaw(fn: FunctionNode): boolean {
    const known = this.#byNode.get(fn);
    if (known !== undefined) {
      return known;
    }
    this.#byNode.set(fn, false);
    const returns =
      this.isRawType(fn.returnType?.typeAnnotation) ||
      returnedExpressions(fn).some((value) =>
        this.origins(value).some((origin) => origin.kind === 'node' && this.isConstruction(origin.node)),
      );
    this.#byNode.set(fn, returns);
    return returns;
  }

  /** The parts of an export that pass on a raw handler of another module. */
  exportedElsewhere(
    node: TSESTree.ExportAllDeclaration | TSESTree.ExportDefaultDeclaration | TSESTree.ExportNamedDeclaration,
  ): TSESTree.Node[] {
    if (node.type === AST_NODE_TYPES.ExportAllDeclaration) {
      return this.#named.some(({ module }) => module.isMeantBy(node.source.value, this.#file)) ? [node] : [];
    }
    if (node.type === AST_NODE_TYPES.ExportDefaultDeclaration) {
      return this.isNamedElsewhere(node.declaration) ? [node.declaration] : [];
    }
    if (node.declaration?.type === AST_NODE_TYPES.VariableDeclaration) {
      return node.declaration.declarations.filter(({ init }) => init !== null && this.isNamedElsewhere(init));
    }
    return node.specifiers.filter((specifier) => {
      if (specifier.exportKind === 'type') {
        return false;
      }
      const { local } = specifier;
      if (node.source === null) {
        return local.type === AST_NODE_TYPES.Identifier && this.isNamedElsewhere(local);
      }
      const name = local.type === AST_NODE_TYPES.Identifier ? local.name : local.value;
      return this.#isNamed(node.source.value, [name]);
    });
  }

  /** Whether an expression is a handler of another module that the options name. */
  isNamedElsewhere(node: TSESTree.Node): boolean {
    return this.origins(node).some(
      (origin) => origin.kind === 'module' && this.#isNamed(origin.module, origin.path),
    );
  }

  /** The class that a call constructs by reflection, or null. */
  reflectedClass(call: TSESTree.CallExpression): TSESTree.Node | null {
    const [first] = call.arguments;
    if (first === undefined) {
      return null;
    }
    const callees = this.origins(call.callee);
    if (callees.some((origin) => isGlobal(origin, 'Reflect', 'construct'))) {
      return first;
    }
    const prototype = bare(first);
    return callees.some((origin) => isGlobal(origin, 'Object', 'create')) &&
      prototype.type === AST_NODE_TYPES.MemberExpression
      ? prototype.object
      : null;
  }

  #isRaw(origin: Origin): boolean {
    switch (origin.kind) {
      case 'module':
        return (
          isExport(origin, SDK_MODULE, RAW_HANDLER_TYPE) ||
          this.#handedExports.has(exportKey(origin.module, origin.path)) ||
          this.#isNamed(origin.module, origin.path)
        );
      case 'declared':
        return this.#isDeclaredRawClass(origin);
      case 'node':
        return this.#isRawNode(origin.node);
      case 'global':
        return false;
    }
  }

  #isNamed(module: string, path: readonly string[]): boolean {
    // `require('./raw.js').default.RawPages` and `import raw from './raw.cjs'` have one step more.
    const name = path.length > 1 && path[0] === 'default' ? path.slice(1) : path;
    return this.#named.some(
      (handler) =>
        name.length === 1 && name[0] === handler.name && handler.module.isMeantBy(module, this.#file),
    );
  }

  #isNamedOrMember(origin: Extract<Origin, { kind: 'module' }>): boolean {
    return (
      this.#isNamed(origin.module, origin.path) ||
      (origin.path.length > 1 && this.#isNamed(origin.module, origin.path.slice(0, -1)))
    );
  }

  // `(Raw: typeof RawPages) => …`, `declare const raw: typeof import('./raw.js')`
  #isDeclaredRawClass(origin: Extract<Origin, { kind: 'declared' }>): boolean {
    const type = writtenType(origin.declaration);
    return (
      type !== null &&
      typeOrigins(type, this.#source).some(({ of, origin: found }) => {
        if (of !== 'value' || (found.kind === 'node' && origin.path.length > 0)) {
          return false;
        }
        const member = origin.path.reduce<Origin>(
          (outer, name) => (outer.kind === 'node' ? outer : memberOfOrigin(outer, name)),
          found,
        );
        return this.#isRaw(member);
      })
    );
  }

  #isRawNode(node: TSESTree.Node): boolean {
    const known = this.#byNode.get(node);
    if (known !== undefined) {
      return known;
    }
    this.#byNode.set(node, false);
    const isRaw = this.#handedNodes.has(node) || this.#isDeclaredRaw(node);
    this.#byNode.set(node, isRaw);
    return isRaw;
  }

  #isDeclaredRaw(node: TSESTree.Node): boolean {
    if (isClass(node)) {
      return (
        node.implements.some(({ expression }) => this.#isAnyRaw(entityOrigins(expression, this.#source))) ||
        (node.superClass !== null && this.isRawClass(node.superClass)) ||
        (node.id !== null && this.#isNamedHere(node.id.name))
      );
    }
    if (node.type === AST_NODE_TYPES.TSInterfaceDeclaration) {
      return node.extends.some(({ expression }) => this.#isAnyRaw(entityOrigins(expression, this.#source)));
    }
    if (isFunction(node)) {
      return node.id !== null && this.#isNamedHere(node.id.name);
    }
    return false;
  }

  #isNamedHere(name: string): boolean {
    return this.#named.some((handler) => handler.name === name && handler.module.isFile(this.#file));
  }

  #isAnyRaw(types: readonly TypeOrigin[]): boolean {
    return types.some(({ origin }) => this.#isRaw(origin));
  }
}

function isNothing(node: TSESTree.TypeNode): boolean {
  return node.type === AST_NODE_TYPES.TSNullKeyword || node.type === AST_NODE_TYPES.TSUndefinedKeyword;
}

/** What a call runs: `make.call(…)` and `make.apply(…)` run `make`. */
function invoked(callee: TSESTree.Node): TSESTree.Node {
  const node = bare(callee);
  return node.type === AST_NODE_TYPES.MemberExpression &&
    node.property.type === AST_NODE_TYPES.Identifier &&
    (node.property.name === 'call' || node.property.name === 'apply')
    ? node.object
    : node;
}

function exportKey(module: string, path: readonly string[]): string {
  return JSON.stringify([module, ...path]);
}
