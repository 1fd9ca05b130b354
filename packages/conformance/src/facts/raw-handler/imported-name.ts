import path from 'node:path';
import { ts } from '../../../engine/typescript.mjs';
import type { Checker } from '../../load/loaded-project.js';

/** An export by the name of its module, for where the module itself is not there to be asked. */
export interface ImportedName {
  /** The absolute path of a module of the project, or the specifier of another one. */
  readonly module: string;
  readonly name: string;
}

/** Which export of which module an expression names; null for anything that is not imported. */
export function importedName(expression: ts.Expression, checker: Checker): ImportedName | null {
  if (ts.isPropertyAccessExpression(expression)) {
    const module = importOf(expression.expression, checker);
    return module !== null && ts.isNamespaceImport(module)
      ? nameIn(module.parent.parent, expression.name.text)
      : null;
  }
  const found = importOf(expression, checker);
  if (found === null || ts.isNamespaceImport(found)) {
    return null;
  }
  return ts.isImportClause(found)
    ? nameIn(found.parent, 'default')
    : nameIn(found.parent.parent.parent, (found.propertyName ?? found.name).text);
}

function importOf(
  node: ts.Expression,
  checker: Checker,
): ts.ImportClause | ts.ImportSpecifier | ts.NamespaceImport | null {
  const declaration = ts.isIdentifier(node)
    ? checker.getSymbolAtLocation(node)?.declarations?.[0]
    : undefined;
  return declaration !== undefined &&
    (ts.isImportClause(declaration) || ts.isImportSpecifier(declaration) || ts.isNamespaceImport(declaration))
    ? declaration
    : null;
}

function nameIn(declaration: ts.ImportDeclaration | ts.JSDocImportTag, name: string): ImportedName | null {
  const { moduleSpecifier } = declaration;
  if (!ts.isStringLiteral(moduleSpecifier)) {
    return null;
  }
  const { text } = moduleSpecifier;
  const module = text.startsWith('.')
    ? path.resolve(path.dirname(declaration.getSourceFile().fileName), text)
    : text;
  return { module, name };
}
