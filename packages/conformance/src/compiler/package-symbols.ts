import { ts } from '../../engine/typescript.mjs';
import type { Checker, LoadedProject } from '../load/loaded-project.js';
import { isConstVariable } from './syntax.js';

/**
 * Knows the exports of one package under whatever name the code uses them: imports, aliases,
 * namespaces, re-exports, `require`, `import()`. Symbols decide where the package is installed, and
 * the import specifier where it is not.
 */
export class PackageSymbols {
  readonly #project: LoadedProject;
  readonly #checker: Checker;
  readonly #packageName: string;
  readonly #bySymbol = new Map<ts.Symbol, string | null>();
  #isHere: boolean | null = null;

  constructor(project: LoadedProject, packageName: string) {
    this.#project = project;
    this.#checker = project.checker;
    this.#packageName = packageName;
  }

  /** The name under which the package exports what an expression or a type's name refers to; null for anything else. */
  nameOf(node: ts.Node): string | null {
    this.#isHere ??= this.#isInProgram();
    if (!this.#isHere) {
      return null;
    }
    const target = unwrap(node);
    if (ts.isIdentifier(target) || ts.isPrivateIdentifier(target)) {
      const symbol = this.#project.symbolAt(target);
      return symbol === undefined ? null : this.nameOfSymbol(symbol);
    }
    if (ts.isPropertyAccessExpression(target) || ts.isQualifiedName(target)) {
      const [left, right] = ts.isQualifiedName(target)
        ? [target.left, target.right]
        : [target.expression, target.name];
      if (this.isNamespace(left)) {
        return right.text;
      }
      // Only a member of an imported thing or of a namespace can be an export: of anything else the compiler
      // would have to find the type, and of every call in a program at that.
      if (!this.#isOfModule(left)) {
        return null;
      }
      // What a module exports stands in a table; to look it up as a member, the checker would check the expression.
      const module = this.#moduleAt(left);
      const symbol =
        module === null
          ? this.#project.symbolAt(right)
          : this.#checker.tryGetMemberInModuleExports(right.text, module);
      return symbol === undefined ? null : this.nameOfSymbol(symbol);
    }
    if (ts.isElementAccessExpression(target) && ts.isStringLiteralLike(target.argumentExpression)) {
      return this.isNamespace(target.expression) ? target.argumentExpression.text : null;
    }
    if (ts.isImportTypeNode(target)) {
      const { argument, qualifier } = target;
      if (qualifier === undefined || !ts.isLiteralTypeNode(argument)) {
        return null;
      }
      return ts.isStringLiteral(argument.literal) && this.isSpecifier(argument.literal.text)
        ? lastName(qualifier)
        : this.nameOf(qualifier);
    }
    if (ts.isTypeReferenceNode(target)) {
      return this.nameOf(target.typeName);
    }
    if (ts.isExpressionWithTypeArguments(target)) {
      return this.nameOf(target.expression);
    }
    return null;
  }

  /** The same for a symbol, for example the one of a type. */
  nameOfSymbol(symbol: ts.Symbol): string | null {
    const known = this.#bySymbol.get(symbol);
    if (known !== undefined) {
      return known;
    }
    // Set first, so that exports that refer to each other end.
    this.#bySymbol.set(symbol, null);
    const name = this.#resolve(symbol);
    this.#bySymbol.set(symbol, name);
    return name;
  }

  /** Whether an expression is the package itself: a namespace import, `require(…)`, `await import(…)`. */
  isNamespace(node: ts.Node): boolean {
    const target = unwrap(node);
    if (this.#isModuleCall(target)) {
      return true;
    }
    const symbol = ts.isIdentifier(target) ? this.#project.symbolAt(target) : undefined;
    return (
      symbol?.declarations?.some((declaration) => {
        if (ts.isNamespaceImport(declaration)) {
          return this.isSpecifier(specifierText(declaration.parent.parent));
        }
        if (ts.isNamespaceExport(declaration)) {
          return this.isSpecifier(specifierText(declaration.parent));
        }
        if (ts.isImportEqualsDeclaration(declaration)) {
          const { moduleReference } = declaration;
          return (
            ts.isExternalModuleReference(moduleReference) &&
            ts.isStringLiteralLike(moduleReference.expression) &&
            this.isSpecifier(moduleReference.expression.text)
          );
        }
        if (ts.isImportClause(declaration)) {
          return this.isSpecifier(specifierText(declaration.parent));
        }
        return (
          ts.isVariableDeclaration(declaration) &&
          declaration.initializer !== undefined &&
          this.#isModuleCall(unwrap(declaration.initializer))
        );
      }) ?? false
    );
  }

  /** Whether the package is read, or named, anywhere: of all frameworks a project has one. */
  #isInProgram(): boolean {
    const { program } = this.#project;
    return program.getSourceFiles().some(
      ({ fileName, text, isDeclarationFile }) =>
        text.includes(this.#packageName) ||
        // A specifier can be written in escapes.
        (!isDeclarationFile && /\\[ux]/u.test(text)) ||
        this.#project.packageNameOf(fileName) === this.#packageName,
    );
  }

  /** Whether an import specifier names the package, or one of its entry points. */
  isSpecifier(text: string | null): boolean {
    return text === this.#packageName || (text?.startsWith(`${this.#packageName}/`) ?? false);
  }

  #isOfModule(node: ts.Node): boolean {
    const target = unwrap(node);
    if (ts.isPropertyAccessExpression(target)) {
      return this.#isOfModule(target.expression);
    }
    if (ts.isQualifiedName(target)) {
      return this.#isOfModule(target.left);
    }
    const symbol = ts.isIdentifier(target) ? this.#project.symbolAt(target) : undefined;
    return symbol !== undefined && (symbol.flags & (ts.SymbolFlags.Alias | ts.SymbolFlags.Module)) !== 0;
  }

  /** The module that a name stands for as a whole, where that is what it stands for. */
  #moduleAt(node: ts.Node): ts.Symbol | null {
    const target = unwrap(node);
    const symbol = ts.isIdentifier(target) ? this.#project.symbolAt(target) : undefined;
    if (symbol === undefined) {
      return null;
    }
    const module =
      (symbol.flags & ts.SymbolFlags.Alias) === 0 ? symbol : this.#checker.getAliasedSymbol(symbol);
    const isModule = module.declarations?.every((one) => ts.isSourceFile(one)) ?? false;
    return isModule && (module.flags & ts.SymbolFlags.ValueModule) !== 0 ? module : null;
  }

  #isModuleCall(node: ts.Node): boolean {
    if (!ts.isCallExpression(node)) {
      return false;
    }
    const [argument] = node.arguments;
    const isLoader =
      node.expression.kind === ts.SyntaxKind.ImportKeyword ||
      (ts.isIdentifier(node.expression) && node.expression.text === 'require');
    return (
      isLoader &&
      argument !== undefined &&
      ts.isStringLiteralLike(argument) &&
      this.isSpecifier(argument.text)
    );
  }

  #resolve(symbol: ts.Symbol): string | null {
    for (const declaration of symbol.declarations ?? []) {
      const name = this.#nameOfDeclaration(declaration);
      if (name !== null) {
        return name;
      }
    }
    const isTopLevel = symbol.declarations?.some((declaration) => isExportable(declaration)) ?? false;
    const file = symbol.declarations?.[0]?.getSourceFile().fileName;
    return isTopLevel && file !== undefined && this.#project.packageNameOf(file) === this.#packageName
      ? symbol.name
      : null;
  }

  #nameOfDeclaration(declaration: ts.Declaration): string | null {
    if (ts.isImportSpecifier(declaration)) {
      const { moduleSpecifier } = declaration.parent.parent.parent;
      return this.#nameInModule(moduleSpecifier, (declaration.propertyName ?? declaration.name).text);
    }
    if (ts.isExportSpecifier(declaration)) {
      const { moduleSpecifier } = declaration.parent.parent;
      const exported = declaration.propertyName ?? declaration.name;
      if (moduleSpecifier !== undefined) {
        return this.#nameInModule(moduleSpecifier, exported.text);
      }
      const local = this.#checker.getExportSpecifierLocalTargetSymbol(declaration);
      return local === undefined ? null : this.nameOfSymbol(local);
    }
    if (ts.isImportClause(declaration) && declaration.name !== undefined) {
      return this.#nameInModule(declaration.parent.moduleSpecifier, 'default');
    }
    if (ts.isExportAssignment(declaration)) {
      return this.nameOf(declaration.expression);
    }
    if (ts.isBindingElement(declaration) && ts.isIdentifier(declaration.name)) {
      const { parent } = declaration.parent;
      const isFromPackage =
        ts.isVariableDeclaration(parent) &&
        parent.initializer !== undefined &&
        this.isNamespace(parent.initializer);
      const property = declaration.propertyName ?? declaration.name;
      return isFromPackage && ts.isIdentifier(property) ? property.text : null;
    }
    if (ts.isVariableDeclaration(declaration) && isConstVariable(declaration)) {
      const { initializer } = declaration;
      return initializer !== undefined && isReference(initializer) ? this.nameOf(initializer) : null;
    }
    if (ts.isTypeAliasDeclaration(declaration)) {
      return isTypeReference(declaration.type) ? this.nameOf(declaration.type) : null;
    }
    if (ts.isJSDocTypedefTag(declaration)) {
      const written = declaration.typeExpression;
      const type = written !== undefined && ts.isJSDocTypeExpression(written) ? written.type : undefined;
      return type !== undefined && isTypeReference(type) ? this.nameOf(type) : null;
    }
    return null;
  }

  #nameInModule(moduleSpecifier: ts.Expression, exported: string): string | null {
    if (ts.isStringLiteralLike(moduleSpecifier) && this.isSpecifier(moduleSpecifier.text)) {
      return exported;
    }
    const module = this.#checker.getSymbolAtLocation(moduleSpecifier);
    return module === undefined ? null : this.#nameOfExport(module, exported);
  }

  #nameOfExport(module: ts.Symbol, exported: string): string | null {
    const symbol = this.#checker.tryGetMemberInModuleExports(exported, module);
    if (symbol !== undefined) {
      return this.nameOfSymbol(symbol);
    }
    // `export * from` a package that is not installed exports names that the compiler never sees.
    for (const declaration of module.declarations ?? []) {
      if (ts.isSourceFile(declaration)) {
        for (const statement of declaration.statements) {
          if (ts.isExportDeclaration(statement) && statement.exportClause === undefined) {
            const specifier = specifierText(statement);
            if (this.isSpecifier(specifier)) {
              return exported;
            }
          }
        }
      }
    }
    return null;
  }
}

/** An expression without parentheses, type assertions, `satisfies`, `!` and `await`. */
function unwrap(node: ts.Node): ts.Node {
  let current = node;
  while (
    ts.isParenthesizedExpression(current) ||
    ts.isAsExpression(current) ||
    ts.isTypeAssertionExpression(current) ||
    ts.isSatisfiesExpression(current) ||
    ts.isNonNullExpression(current) ||
    ts.isAwaitExpression(current)
  ) {
    current = current.expression;
  }
  return current;
}

function isReference(node: ts.Node): boolean {
  const target = unwrap(node);
  return (
    ts.isIdentifier(target) ||
    ((ts.isPropertyAccessExpression(target) || ts.isElementAccessExpression(target)) &&
      isReference(target.expression)) ||
    ts.isCallExpression(target)
  );
}

function isTypeReference(node: ts.TypeNode): boolean {
  return ts.isTypeReferenceNode(node) || ts.isImportTypeNode(node);
}

/** Members and locals of the package's own code share names with exports, and are none. */
function isExportable(declaration: ts.Declaration): boolean {
  const statement = ts.isVariableDeclaration(declaration) ? declaration.parent.parent : declaration;
  const parent = statement.parent as ts.Node | undefined;
  return parent !== undefined && (ts.isSourceFile(parent) || ts.isModuleBlock(parent));
}

function specifierText(declaration: ts.Node): string | null {
  const isModule =
    ts.isImportDeclaration(declaration) ||
    ts.isExportDeclaration(declaration) ||
    ts.isJSDocImportTag(declaration);
  const specifier = isModule ? declaration.moduleSpecifier : undefined;
  return specifier !== undefined && ts.isStringLiteralLike(specifier) ? specifier.text : null;
}

function lastName(name: ts.EntityName): string {
  return ts.isIdentifier(name) ? name.text : name.right.text;
}
