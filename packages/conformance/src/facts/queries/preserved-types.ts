import { ts } from '../../../engine/typescript.mjs';
import { PRESERVED_TAG } from '@toolwright/sdk/contract-names';
import { walk } from '../../compiler/walk.js';
import type { Checker, LoadedProject } from '../../load/loaded-project.js';

/** A type whose values must keep their fields when they are rebuilt. */
export interface PreservedType {
  readonly kind: 'result' | 'target' | 'mcp' | 'marked';
  readonly name: string;
  /** Data fields; methods are none. Null: not known. */
  readonly fields: readonly PreservedField[] | null;
}

export interface PreservedField {
  readonly name: string;
  readonly isOptional: boolean;
  /** Whether a copy through JSON keeps it; null where its type does not say. */
  readonly survivesJson: boolean | null;
}

export const RESULT: PreservedType = {
  kind: 'result',
  name: 'ToolResult',
  fields: [
    { name: 'content', isOptional: false, survivesJson: true },
    { name: 'isError', isOptional: false, survivesJson: true },
    { name: 'artifacts', isOptional: false, survivesJson: null },
    // A target is branded: what JSON makes of it is a plain object, and no target.
    { name: 'target', isOptional: false, survivesJson: false },
  ],
};

export const TARGET: PreservedType = {
  kind: 'target',
  name: 'WriteTarget',
  fields: [
    { name: 'table', isOptional: false, survivesJson: true },
    { name: 'uid', isOptional: false, survivesJson: true },
  ],
};

export const MCP_RESULT: PreservedType = {
  kind: 'mcp',
  name: 'CallToolResult',
  fields: ['content', 'structuredContent', 'isError', '_meta'].map((name) => ({
    name,
    isOptional: name !== 'content',
    survivesJson: true,
  })),
};

const MCP_SCOPE = '@modelcontextprotocol/';
const TAG = `@${PRESERVED_TAG}`;

/** Finds the preserved types of a program that are not the SDK's: MCP's result, and marked types. */
export class PreservedTypes {
  readonly #checker: Checker;
  readonly #project: LoadedProject;
  readonly #marked = new Map<ts.Symbol, PreservedType>();
  #mcp: ReadonlySet<ts.Type> | null = null;

  constructor(project: LoadedProject) {
    this.#project = project;
    this.#checker = project.checker;
    for (const file of project.program.getSourceFiles()) {
      if (file.text.includes(TAG)) {
        this.#collectMarked(file);
      }
    }
  }

  /** The names of the marked types, to find the code that could speak of them. */
  get markedNames(): readonly string[] {
    return [...this.#marked.values()].map(({ name }) => name);
  }

  of(type: ts.Type): PreservedType | null {
    const symbol = type.aliasSymbol ?? (type as ts.Type | { symbol?: ts.Symbol }).symbol;
    const marked = symbol === undefined ? null : this.ofSymbol(symbol);
    if (marked !== null) {
      return this.#withFields(marked, type);
    }
    if (type.aliasSymbol !== undefined && isTransparent(type.aliasSymbol.name)) {
      const [inner] = type.aliasTypeArguments ?? [];
      return inner === undefined ? null : this.of(inner);
    }
    const own = (type as ts.Type | { symbol?: ts.Symbol }).symbol;
    const byOwn = own === undefined || own === symbol ? null : this.ofSymbol(own);
    if (byOwn !== null) {
      return this.#withFields(byOwn, type);
    }
    return this.#isMcpResult(type) ? MCP_RESULT : this.#ofParts(type);
  }

  /** What it extends, or is put together of: whatever it has beyond that, it is one. */
  #ofParts(type: ts.Type): PreservedType | null {
    if (type.isIntersection()) {
      return firstOf(type.types, (part) => this.of(part));
    }
    if (!type.isClassOrInterface() || type.symbol.declarations?.every((one) => !hasHeritage(one)) !== false) {
      return null;
    }
    return firstOf(this.#checker.getBaseTypes(type), (base) => this.of(base));
  }

  ofSymbol(symbol: ts.Symbol): PreservedType | null {
    return this.#marked.get(symbol) ?? null;
  }

  /** By the name in the source, for a package that is not installed. */
  ofUnresolvedImport(declaration: ts.Declaration): PreservedType | null {
    if (!ts.isImportSpecifier(declaration)) {
      return null;
    }
    const { moduleSpecifier } = declaration.parent.parent.parent;
    const name = (declaration.propertyName ?? declaration.name).text;
    return ts.isStringLiteral(moduleSpecifier) &&
      moduleSpecifier.text.startsWith(MCP_SCOPE) &&
      name === MCP_RESULT.name
      ? MCP_RESULT
      : null;
  }

  #collectMarked(file: ts.SourceFile): void {
    walk(file, (node) => {
      if (
        (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node) || ts.isClassDeclaration(node)) &&
        node.name !== undefined &&
        ts.getJSDocTags(node).some((tag) => tag.tagName.text === PRESERVED_TAG)
      ) {
        const symbol = this.#checker.getSymbolAtLocation(node.name);
        if (symbol !== undefined) {
          this.#marked.set(symbol, { kind: 'marked', name: node.name.text, fields: null });
        }
      }
      return !ts.isFunctionLike(node);
    });
  }

  // The fields are asked for when the first value of the type turns up.
  #withFields(marked: PreservedType, type: ts.Type): PreservedType {
    if (marked.fields !== null) {
      return marked;
    }
    const fields = this.#checker
      .getPropertiesOfType(type)
      .filter((property) => isData(property))
      .map((property) => ({
        name: property.name,
        isOptional: (property.flags & ts.SymbolFlags.Optional) !== 0,
        survivesJson: this.#survivesJson(this.#checker.getTypeOfSymbol(property), 0),
      }));
    const complete = { ...marked, fields };
    const symbol = type.aliasSymbol ?? type.symbol;
    this.#marked.set(this.#marked.has(symbol) ? symbol : type.symbol, complete);
    return complete;
  }

  #survivesJson(type: ts.Type, depth: number): boolean | null {
    if (
      (type.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown | ts.TypeFlags.TypeParameter)) !== 0 ||
      depth > 4
    ) {
      return null;
    }
    if (type.isUnionOrIntersection()) {
      const parts = type.types.map((part) => this.#survivesJson(part, depth + 1));
      return parts.includes(false) ? false : parts.includes(null) ? null : true;
    }
    if ((type.flags & (ts.TypeFlags.BigIntLike | ts.TypeFlags.ESSymbolLike)) !== 0) {
      return false;
    }
    if ((type.flags & ts.TypeFlags.Object) === 0) {
      return true;
    }
    if (type.getCallSignatures().length > 0 || type.getConstructSignatures().length > 0) {
      return false;
    }
    if (this.#checker.isArrayType(type) || this.#checker.isTupleType(type)) {
      const parts = this.#checker
        .getTypeArguments(type as ts.TypeReference)
        .map((part) => this.#survivesJson(part, depth + 1));
      return parts.includes(false) ? false : parts.includes(null) ? null : true;
    }
    // Instances of classes, of the library (Map, Set, Date, URL) or one's own, come back as plain objects.
    const declarations = type.symbol.declarations ?? [];
    if (declarations.some((one) => ts.isClassLike(one))) {
      return false;
    }
    if (declarations.some((one) => this.#project.program.isSourceFileDefaultLibrary(one.getSourceFile()))) {
      return isTransparent(type.symbol.name) || type.symbol.name === '__type';
    }
    const parts = this.#checker
      .getPropertiesOfType(type)
      .filter((property) => isData(property))
      .map((property) => this.#survivesJson(this.#checker.getTypeOfSymbol(property), depth + 1));
    return parts.includes(false) ? false : parts.includes(null) ? null : true;
  }

  // Its alias is lost in the type, because it is computed from a schema; the type itself is one object.
  #isMcpResult(type: ts.Type): boolean {
    this.#mcp ??= this.#findMcpResults();
    return this.#mcp.has(type);
  }

  #findMcpResults(): ReadonlySet<ts.Type> {
    const found = new Set<ts.Type>();
    for (const file of this.#project.ownFiles) {
      if (!file.text.includes(MCP_SCOPE)) {
        continue;
      }
      for (const specifier of importsOf(file)) {
        if (specifier.text.startsWith(MCP_SCOPE)) {
          const module = this.#checker.getSymbolAtLocation(specifier);
          const exported =
            module === undefined
              ? undefined
              : this.#checker.tryGetMemberInModuleExports(MCP_RESULT.name, module);
          if (exported !== undefined) {
            const symbol =
              (exported.flags & ts.SymbolFlags.Alias) === 0
                ? exported
                : this.#checker.getAliasedSymbol(exported);
            const type = this.#checker.getDeclaredTypeOfSymbol(symbol);
            if ((type.flags & ts.TypeFlags.Object) !== 0) {
              found.add(type);
            }
          }
        }
      }
    }
    return found;
  }
}

/** Everything that a file imports, `import('…')` in types and doc comments included: the compiler has collected it. */
function importsOf(file: ts.SourceFile): readonly ts.StringLiteralLike[] {
  return (file as { readonly imports?: readonly ts.StringLiteralLike[] }).imports ?? [];
}

function firstOf(
  types: readonly ts.Type[],
  find: (type: ts.Type) => PreservedType | null,
): PreservedType | null {
  for (const type of types) {
    const found = find(type);
    if (found !== null) {
      return found;
    }
  }
  return null;
}

function hasHeritage(declaration: ts.Declaration): boolean {
  return (
    (ts.isInterfaceDeclaration(declaration) || ts.isClassLike(declaration)) &&
    declaration.heritageClauses !== undefined
  );
}

function isTransparent(name: string): boolean {
  return name === 'Readonly' || name === 'Required' || name === 'NonNullable' || name === 'Record';
}

function isData(property: ts.Symbol): boolean {
  return (
    (property.flags & (ts.SymbolFlags.Method | ts.SymbolFlags.Prototype)) === 0 &&
    !property.name.startsWith('__#') &&
    !(property.declarations?.some((one) => ts.isMethodDeclaration(one) || ts.isMethodSignature(one)) ?? false)
  );
}

/** The type in a promise, or in a readonly form. */
export function withoutWrappers(type: ts.TypeNode): ts.TypeNode {
  if (
    ts.isTypeReferenceNode(type) &&
    ts.isIdentifier(type.typeName) &&
    ['Promise', 'Readonly', 'Awaited'].includes(type.typeName.text)
  ) {
    const [inner] = type.typeArguments ?? [];
    return inner === undefined ? type : withoutWrappers(inner);
  }
  return type;
}
