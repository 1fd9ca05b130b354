import { ts } from '../../engine/typescript.mjs';
import type { Checker, LoadedProject } from '../load/loaded-project.js';
import { walk } from './walk.js';

/** Finds where a symbol is used in the project's own code, under any name that imports give it. */
export class ReferenceIndex {
  readonly #project: LoadedProject;
  readonly #checker: Checker;
  readonly #bySymbol = new Map<ts.Symbol, readonly ts.Identifier[]>();
  #byText: Map<string, ts.Identifier[]> | null = null;

  constructor(project: LoadedProject) {
    this.#project = project;
    this.#checker = project.checker;
  }

  /** Identifiers that refer to a symbol; its declarations and the names in imports and exports left out. */
  referencesTo(symbol: ts.Symbol): readonly ts.Identifier[] {
    const target = this.resolveAlias(symbol);
    const known = this.#bySymbol.get(target);
    if (known !== undefined) {
      return known;
    }
    const found = this.#find(target);
    this.#bySymbol.set(target, found);
    return found;
  }

  /** The symbol of an identifier, with imports followed to what they name. */
  symbolAt(node: ts.Node): ts.Symbol | undefined {
    const symbol = this.namedAt(node);
    return symbol === undefined ? undefined : this.resolveAlias(symbol);
  }

  /** The symbol that an identifier has where it stands: of an import, the import's own. */
  namedAt(node: ts.Node): ts.Symbol | undefined {
    return this.#project.symbolAt(node);
  }

  resolveAlias(symbol: ts.Symbol): ts.Symbol {
    return declared(
      (symbol.flags & ts.SymbolFlags.Alias) === 0 ? symbol : this.#checker.getAliasedSymbol(symbol),
    );
  }

  #find(target: ts.Symbol): readonly ts.Identifier[] {
    const home = homeOf(target);
    if (home !== null) {
      return this.#identifiers(target.name).filter(
        (identifier) =>
          isBelow(identifier, home) &&
          !isMemberName(identifier) &&
          this.symbolAt(identifier) === target &&
          !isDeclarationName(identifier),
      );
    }
    const names = new Set([target.name, 'default']);
    const queue = [...names];
    const found: ts.Identifier[] = [];
    for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
      for (const identifier of this.#identifiers(name)) {
        if (!this.#refersTo(identifier, target)) {
          continue;
        }
        const { parent } = identifier;
        if (ts.isImportSpecifier(parent) || ts.isExportSpecifier(parent) || ts.isImportClause(parent)) {
          for (const other of [parent.name, ts.isImportClause(parent) ? undefined : parent.propertyName]) {
            if (other !== undefined && !names.has(other.text)) {
              names.add(other.text);
              queue.push(other.text);
            }
          }
        } else if (!isDeclarationName(identifier)) {
          found.push(identifier);
        }
      }
    }
    return found;
  }

  #refersTo(identifier: ts.Identifier, target: ts.Symbol): boolean {
    const { parent } = identifier;
    if (ts.isExportSpecifier(parent) && parent.parent.parent.moduleSpecifier === undefined) {
      const local = this.#checker.getExportSpecifierLocalTargetSymbol(parent);
      return local !== undefined && this.resolveAlias(local) === target;
    }
    return this.symbolAt(identifier) === target;
  }

  #identifiers(text: string): readonly ts.Identifier[] {
    this.#byText ??= this.#index();
    return this.#byText.get(text) ?? [];
  }

  #index(): Map<string, ts.Identifier[]> {
    const index = new Map<string, ts.Identifier[]>();
    const add = (text: string, node: ts.Identifier): void => {
      const list = index.get(text);
      if (list === undefined) {
        index.set(text, [node]);
      } else {
        list.push(node);
      }
    };
    for (const file of this.#project.ownFiles) {
      walk(file, (node) => {
        if (ts.isIdentifier(node)) {
          add(node.text, node);
          // A default import can have any name; it is also listed under the one that it has where it is exported.
          if (ts.isImportClause(node.parent)) {
            add('default', node);
          }
        }
        return true;
      });
    }
    return index;
  }
}

/**
 * The symbol that a declaration has. A member of an instantiated type has one of its own, and every class is
 * instantiated for its `this`: without this, `registry.add(…)` would be another `add` than the class's.
 */
function declared(symbol: ts.Symbol): ts.Symbol {
  if ((symbol.flags & ts.SymbolFlags.Transient) === 0) {
    return symbol;
  }
  const own = (symbol.valueDeclaration as unknown as { readonly symbol?: ts.Symbol } | undefined)?.symbol;
  return own?.escapedName === symbol.escapedName ? own : symbol;
}

/** The function that a parameter or a variable in one is declared in: it is named nowhere else, and has no other name. */
function homeOf(symbol: ts.Symbol): ts.Node | null {
  const { declarations = [] } = symbol;
  const [first] = declarations;
  if (
    first === undefined ||
    !declarations.every(
      (one) => ts.isParameter(one) || ts.isVariableDeclaration(one) || ts.isBindingElement(one),
    ) ||
    // A property that a parameter declares is a member, too.
    declarations.some((one) => ts.isParameter(one) && ts.isParameterPropertyDeclaration(one, one.parent))
  ) {
    return null;
  }
  const home = ts.findAncestor(first, ts.isFunctionLike);
  return home !== undefined && declarations.every((one) => ts.findAncestor(one, (up) => up === home))
    ? home
    : null;
}

function isBelow(node: ts.Node, home: ts.Node): boolean {
  return home.pos <= node.pos && node.end <= home.end && node.getSourceFile() === home.getSourceFile();
}

/** Whether an identifier stands for a member of what it is read from or written in, whatever else has its name. */
function isMemberName(identifier: ts.Identifier): boolean {
  const { parent } = identifier;
  return (
    (ts.isPropertyAccessExpression(parent) && parent.name === identifier) ||
    (ts.isPropertyAssignment(parent) && parent.name === identifier)
  );
}

/** Whether an identifier names what its parent declares. */
function isDeclarationName(identifier: ts.Identifier): boolean {
  const { parent } = identifier;
  // A shorthand property declares a member and refers to a value in one.
  return (
    !ts.isShorthandPropertyAssignment(parent) &&
    (ts.isVariableDeclaration(parent) ||
      ts.isFunctionLike(parent) ||
      ts.isClassLike(parent) ||
      ts.isParameter(parent) ||
      ts.isPropertyDeclaration(parent) ||
      ts.isPropertyAssignment(parent) ||
      ts.isBindingElement(parent) ||
      ts.isEnumDeclaration(parent) ||
      ts.isInterfaceDeclaration(parent) ||
      ts.isTypeAliasDeclaration(parent)) &&
    parent.name === identifier
  );
}
