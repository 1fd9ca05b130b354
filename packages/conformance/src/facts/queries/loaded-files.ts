import { ts } from '../../../engine/typescript.mjs';
import type { LoadedProject } from '../../load/loaded-project.js';

/** Knows which of the project's files are loaded with another one, before any tool runs. */
export class LoadedFiles {
  readonly #project: LoadedProject;
  #imported: ReadonlySet<ts.Node> | null = null;

  constructor(project: LoadedProject) {
    this.#project = project;
  }

  /** Whether another file imports it by a declaration; a file that none does is loaded by whoever says `import()`. */
  isImported(file: ts.SourceFile): boolean {
    this.#imported ??= this.#find();
    return this.#imported.has(file);
  }

  #find(): ReadonlySet<ts.Node> {
    const { checker, ownFiles } = this.#project;
    const found = new Set<ts.Node>();
    for (const statement of ownFiles.flatMap(({ statements }) => [...statements])) {
      const specifier =
        ts.isImportDeclaration(statement) || ts.isExportDeclaration(statement)
          ? statement.moduleSpecifier
          : undefined;
      const isType =
        (ts.isImportDeclaration(statement) &&
          statement.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword) ||
        (ts.isExportDeclaration(statement) && statement.isTypeOnly);
      const file =
        specifier === undefined || isType
          ? undefined
          : checker.getSymbolAtLocation(specifier)?.valueDeclaration;
      if (file !== undefined) {
        found.add(file);
      }
    }
    return found;
  }
}
