import { ts } from '../../../engine/typescript.mjs';
import type { ExternalName } from './type-queries.js';

/** What a declaration imports: the module as written, and the exported name. */
export function importOf(declaration: ts.Declaration): ExternalName | null {
  let from: ts.Node = declaration;
  while (
    !ts.isImportDeclaration(from) &&
    !ts.isExportDeclaration(from) &&
    !ts.isSourceFile(from) &&
    !ts.isBlock(from)
  ) {
    from = from.parent;
  }
  if (ts.isSourceFile(from) || ts.isBlock(from)) {
    return null;
  }
  if (from.moduleSpecifier === undefined || !ts.isStringLiteral(from.moduleSpecifier)) {
    return null;
  }
  const module = plainModule(from.moduleSpecifier.text);
  if (ts.isImportSpecifier(declaration) || ts.isExportSpecifier(declaration)) {
    return { module, path: (declaration.propertyName ?? declaration.name).text };
  }
  return { module, path: ts.isImportClause(declaration) ? 'default' : '' };
}

/** The `declare module` that a declaration stands in. */
export function ambientModuleOf(declaration: ts.Declaration): string | null {
  for (let node: ts.Node = declaration; !ts.isSourceFile(node); node = node.parent) {
    if (ts.isModuleDeclaration(node) && ts.isStringLiteral(node.name)) {
      return plainModule(node.name.text);
    }
  }
  return null;
}

/** Node's modules without their prefix; some have none without it, and a package has the name. */
export function plainModule(specifier: string): string {
  return /^node:(?:sqlite|test|sea)(?:\/|$)/u.test(specifier) ? specifier : specifier.replace(/^node:/u, '');
}
