import { RAW_HANDLER_TYPE, SDK_MODULE } from '@toolwright/sdk/contract-names';
import { ts } from '../../../engine/typescript.mjs';
import { PackageSymbols } from '../../compiler/package-symbols.js';
import type { Checker, LoadedProject } from '../../load/loaded-project.js';
import type { ImportedName } from './imported-name.js';

const { TypeFlags } = ts;
const NULLISH = TypeFlags.Undefined | TypeFlags.Null | TypeFlags.Void | TypeFlags.Never;
const MAX_PROMISES = 3;

export type RawKind = 'raw' | 'perhaps' | 'other';

/** Knows which classes and types are raw content handlers. */
export class RawHandlerTypes {
  readonly #checker: Checker;
  readonly #sdk: PackageSymbols;
  readonly #configured: ReadonlySet<string>;
  readonly #classes = new Map<ts.Node, boolean>();
  readonly #returned = new Set<ts.Node>();
  readonly #returnedImports: ImportedName[] = [];
  readonly #types = new Map<ts.Type, RawKind>();

  constructor(project: LoadedProject, configuredNames: readonly string[]) {
    this.#checker = project.checker;
    this.#sdk = new PackageSymbols(project, SDK_MODULE);
    this.#configured = new Set(configuredNames);
  }

  /** Counts a class as raw because the factory handed to the wrapper answers an object of it. */
  addReturned(node: ts.ClassLikeDeclaration): void {
    this.#returned.add(node);
    this.#classes.clear();
    this.#types.clear();
  }

  /** The same for a class of a module that is not there, by the name of its import. */
  addReturnedImport(imported: ImportedName): void {
    this.#returnedImports.push(imported);
  }

  get returnedImports(): readonly ImportedName[] {
    return this.#returnedImports;
  }

  isReturnedImport(imported: ImportedName | null): boolean {
    return this.#returnedImports.some(
      ({ module, name }) => module === imported?.module && name === imported.name,
    );
  }

  /** Whether a class or interface is a raw handler: it, or one above it, implements the type or is configured. */
  isRawDeclaration(node: ts.ClassLikeDeclaration | ts.InterfaceDeclaration): boolean {
    const known = this.#classes.get(node);
    if (known !== undefined) {
      return known;
    }
    this.#classes.set(node, false);
    const isRaw =
      this.#returned.has(node) ||
      (node.name !== undefined && this.#configured.has(node.name.text)) ||
      (node.heritageClauses ?? []).some((clause) =>
        clause.types.some((type) => this.#isRawReference(type)),
      ) ||
      (ts.isClassLike(node) &&
        ts.getJSDocImplementsTags(node).some((tag) => this.#isRawReference(tag.class)));
    this.#classes.set(node, isRaw);
    return isRaw;
  }

  /** Whether a type, or what a promise of it gives, is a raw handler; `perhaps` where it is one of several. */
  kindOf(type: ts.Type): RawKind {
    return this.#kindOf(type, MAX_PROMISES);
  }

  /** The same from a type as it is written, which also works where the SDK is not installed. */
  isRawTypeNode(node: ts.TypeNode): boolean {
    if (ts.isParenthesizedTypeNode(node) || ts.isTypeOperatorNode(node)) {
      return this.isRawTypeNode(node.type);
    }
    if (ts.isUnionTypeNode(node) || ts.isIntersectionTypeNode(node)) {
      return node.types.some((part) => this.isRawTypeNode(part));
    }
    if (ts.isTypeReferenceNode(node) || ts.isImportTypeNode(node)) {
      if (this.#sdk.nameOf(node) === RAW_HANDLER_TYPE) {
        return true;
      }
      const [argument] = node.typeArguments ?? [];
      if (ts.isTypeReferenceNode(node) && node.typeName.getText() === 'Promise' && argument !== undefined) {
        return this.isRawTypeNode(argument);
      }
      return this.kindOf(this.#checker.getTypeFromTypeNode(node)) === 'raw';
    }
    return false;
  }

  /** A name for messages. */
  nameOf(type: ts.Type): string {
    const parts = type.isUnion() ? type.types : [type];
    const raw = parts.find((part) => this.kindOf(part) === 'raw') ?? type;
    const inner = this.#promised(raw) ?? raw;
    const symbol = (inner.symbol as ts.Symbol | undefined) ?? inner.aliasSymbol;
    return symbol === undefined || symbol.name.startsWith('__') ? RAW_HANDLER_TYPE : symbol.name;
  }

  #kindOf(type: ts.Type, promises: number): RawKind {
    const known = this.#types.get(type);
    if (known !== undefined) {
      return known;
    }
    // Set first, so that types that refer to themselves end.
    this.#types.set(type, 'other');
    const kind = this.#judge(type, promises);
    this.#types.set(type, kind);
    return kind;
  }

  #judge(type: ts.Type, promises: number): RawKind {
    if ((type.flags & (TypeFlags.Any | TypeFlags.Unknown | NULLISH)) !== 0) {
      return 'other';
    }
    const aliased = type.aliasSymbol;
    if (aliased !== undefined && this.#isRawSymbol(aliased)) {
      return 'raw';
    }
    if (type.isUnion()) {
      const kinds = type.types
        .filter((part) => (part.flags & NULLISH) === 0)
        .map((part) => this.#kindOf(part, promises));
      if (kinds.length > 0 && kinds.every((kind) => kind === 'raw')) {
        return 'raw';
      }
      return kinds.some((kind) => kind !== 'other') ? 'perhaps' : 'other';
    }
    if (type.isIntersection()) {
      return type.types.some((part) => this.#kindOf(part, promises) === 'raw') ? 'raw' : 'other';
    }
    if ((type.flags & TypeFlags.TypeParameter) !== 0) {
      const constraint = this.#checker.getBaseConstraintOfType(type);
      return constraint === undefined ? 'other' : this.#kindOf(constraint, promises);
    }
    const promised = promises === 0 ? null : this.#promised(type);
    if (promised !== null) {
      return this.#kindOf(promised, promises - 1);
    }
    // The class as a value has the symbol of its objects' type, and is no handler.
    const isObjectOf = ((type as ts.ObjectType).objectFlags & ts.ObjectFlags.Anonymous) === 0;
    const symbol = type.symbol as ts.Symbol | undefined;
    return isObjectOf && symbol !== undefined && this.#isRawSymbol(symbol) ? 'raw' : 'other';
  }

  #promised(type: ts.Type): ts.Type | null {
    const symbol = type.symbol as ts.Symbol | undefined;
    if (symbol?.name !== 'Promise' && symbol?.name !== 'PromiseLike') {
      return null;
    }
    const [argument] = this.#checker.getTypeArguments(type as ts.TypeReference);
    return argument ?? null;
  }

  #isRawSymbol(symbol: ts.Symbol): boolean {
    if ((symbol.flags & (ts.SymbolFlags.Class | ts.SymbolFlags.Interface | ts.SymbolFlags.TypeAlias)) === 0) {
      return false;
    }
    return (
      this.#sdk.nameOfSymbol(symbol) === RAW_HANDLER_TYPE ||
      this.#configured.has(symbol.name) ||
      (symbol.declarations?.some(
        (one) => (ts.isClassLike(one) || ts.isInterfaceDeclaration(one)) && this.isRawDeclaration(one),
      ) ??
        false)
    );
  }

  #isRawReference(node: ts.ExpressionWithTypeArguments): boolean {
    if (this.#sdk.nameOf(node) === RAW_HANDLER_TYPE) {
      return true;
    }
    const symbol = this.#checker.getSymbolAtLocation(node.expression);
    const target =
      symbol !== undefined && (symbol.flags & ts.SymbolFlags.Alias) !== 0
        ? this.#checker.getAliasedSymbol(symbol)
        : symbol;
    if (target !== undefined && this.#isRawSymbol(target)) {
      return true;
    }
    // `extends mixin(Raw)`: what comes out is what the type says.
    return (
      ts.isCallExpression(node.expression) && this.kindOf(this.#checker.getTypeAtLocation(node)) === 'raw'
    );
  }
}
