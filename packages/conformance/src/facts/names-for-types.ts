import { ts } from '../../engine/typescript.mjs';
import { walk } from '../compiler/walk.js';

/**
 * Adds to the names of types those that the files give them: `type Answer = ToolResult`, `import { ToolResult as
 * Answer }`, an interface or a class that extends one, and aliases of these.
 */
export function namesForTypes(
  files: readonly ts.SourceFile[],
  names: readonly string[],
): ReadonlySet<string> {
  const known = new Set(names);
  const renames = new Map<ts.SourceFile, readonly Rename[]>();
  for (let grew = true; grew;) {
    grew = false;
    for (const file of files) {
      // A new name needs the old one in the same file; most files have none.
      if (!renames.has(file) && mentions(file, known)) {
        renames.set(file, renamesIn(file));
      }
      for (const { name, of } of renames.get(file) ?? []) {
        if (!known.has(name) && of.some((one) => known.has(one))) {
          known.add(name);
          grew = true;
        }
      }
    }
  }
  return known;
}

function mentions(file: ts.SourceFile, names: ReadonlySet<string>): boolean {
  for (const name of names) {
    if (file.text.includes(name)) {
      return true;
    }
  }
  return false;
}

interface Rename {
  readonly name: string;
  readonly of: readonly string[];
}

function renamesIn(file: ts.SourceFile): Rename[] {
  const found: Rename[] = [];
  walk(file, (node) => {
    if (ts.isTypeAliasDeclaration(node)) {
      found.push({ name: node.name.text, of: identifiersIn(node.type) });
    } else if (ts.isImportSpecifier(node) || ts.isExportSpecifier(node)) {
      if (node.propertyName !== undefined) {
        found.push({ name: node.name.text, of: [node.propertyName.text] });
      }
    } else if ((ts.isInterfaceDeclaration(node) || ts.isClassLike(node)) && node.name !== undefined) {
      const heritage = (node.heritageClauses ?? []).flatMap(({ types }) => types.flatMap(identifiersIn));
      if (heritage.length > 0) {
        found.push({ name: node.name.text, of: heritage });
      }
    }
    return !ts.isTypeAliasDeclaration(node);
  });
  return found;
}

function identifiersIn(node: ts.Node): string[] {
  const found: string[] = [];
  walk(node, (inner) => {
    if (ts.isIdentifier(inner)) {
      found.push(inner.text);
    }
    return true;
  });
  return found;
}
