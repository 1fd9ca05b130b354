import type { TSESTree } from '@typescript-eslint/utils';
import { RAW_HANDLER_TYPE, SDK_MODULE } from '@toolwright/sdk/contract-names';
import ts from 'typescript';
import { programMentions } from '../../types/program-mentions.js';
import { isDeclaredBy, declaringPackage, type TypeInformation } from '../../types/type-information.js';
import type { NamedHandler } from './raw-handlers.js';

const NOTHING = ts.TypeFlags.Undefined | ts.TypeFlags.Null | ts.TypeFlags.Void;

/** What the compiler knows about raw content handlers, by the contract's type: its symbol and its package. */
export class TypedRawHandlers {
  readonly #types: TypeInformation;
  readonly #named: readonly NamedHandler[];
  readonly #bySymbol = new Map<ts.Symbol, boolean>();
  readonly #byCallee = new Map<ts.Type, boolean>();

  constructor(types: TypeInformation, named: readonly NamedHandler[]) {
    this.#types = types;
    this.#named = named;
  }

  /** Whether the program has a raw handler at all, so that a file in a program without one costs nothing. */
  isWorthAsking(): boolean {
    // The SDK declares the type; a program that mentions it nowhere else has no handler.
    return this.#named.length > 0 || programMentions(this.#types.program, RAW_HANDLER_TYPE, SDK_MODULE);
  }

  isRawClass(node: TSESTree.Node): boolean {
    const type = this.#types.typeOf(node);
    return type.getConstructSignatures().some((signature) => this.isRaw(signature.getReturnType()));
  }

  /** Whether calling this gives a raw handler, or the promise of one. */
  isFactory(callee: TSESTree.Node): boolean {
    const type = this.#types.typeOf(callee);
    const known = this.#byCallee.get(type);
    if (known !== undefined) {
      return known;
    }
    const isFactory = type.getCallSignatures().some((signature) => this.isRaw(signature.getReturnType()));
    this.#byCallee.set(type, isFactory);
    return isFactory;
  }

  /** Whether the call's own type, type arguments filled in, is that of a raw handler. */
  isRawExpression(node: TSESTree.Node): boolean {
    return this.isRaw(this.#types.typeOf(node));
  }

  /** Whether the compiler knows that an expression is something else. */
  isSurelyNotRaw(node: TSESTree.Node): boolean {
    const type = this.#types.typeOf(node);
    return (type.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown)) === 0 && !this.isRaw(type);
  }

  isRaw(type: ts.Type, depth = 0): boolean {
    if (depth > 6) {
      return false;
    }
    if (type.isUnion()) {
      // One of several types is not decided; only nothing may stand beside it.
      const parts = type.types.filter(({ flags }) => (flags & NOTHING) === 0);
      return parts.length > 0 && parts.every((part) => this.isRaw(part, depth + 1));
    }
    if (type.isIntersection()) {
      return type.types.some((part) => this.isRaw(part, depth + 1));
    }
    if ((type.flags & ts.TypeFlags.TypeParameter) !== 0) {
      const constraint = type.getConstraint();
      return constraint !== undefined && constraint !== type && this.isRaw(constraint, depth + 1);
    }
    const symbol = type.getSymbol();
    if (symbol === undefined) {
      return false;
    }
    if (symbol.name === 'Promise' || symbol.name === 'PromiseLike') {
      return this.#types.checker
        .getTypeArguments(type as ts.TypeReference)
        .some((argument) => this.isRaw(argument, depth + 1));
    }
    return this.isRawSymbol(symbol);
  }

  isRawSymbol(symbol: ts.Symbol): boolean {
    const known = this.#bySymbol.get(symbol);
    if (known !== undefined) {
      return known;
    }
    this.#bySymbol.set(symbol, false);
    const isRaw =
      isDeclaredBy(symbol, SDK_MODULE, RAW_HANDLER_TYPE) ||
      this.#isNamed(symbol) ||
      this.#inheritsRaw(symbol);
    this.#bySymbol.set(symbol, isRaw);
    return isRaw;
  }

  #isNamed(symbol: ts.Symbol): boolean {
    return this.#named.some(
      ({ name, module }) =>
        name === symbol.name &&
        (symbol.declarations ?? []).some((declaration) =>
          module.packageName === null
            ? module.isFile(declaration.getSourceFile().fileName)
            : declaringPackage(declaration) === module.packageName,
        ),
    );
  }

  // `implements` is no part of a class's type, so the clauses are read.
  #inheritsRaw(symbol: ts.Symbol): boolean {
    return (symbol.declarations ?? []).some(
      (declaration) =>
        (ts.isClassLike(declaration) || ts.isInterfaceDeclaration(declaration)) &&
        (declaration.heritageClauses ?? []).some((clause) =>
          clause.types.some((parent) => this.isRaw(this.#types.checker.getTypeAtLocation(parent), 1)),
        ),
    );
  }
}
