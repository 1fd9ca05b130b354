import type { ts } from '../../engine/typescript.mjs';
import type { SourceLocation } from '../model/location.js';

/** One TypeScript (or JavaScript) program, as the analysis sees it. */
export interface LoadedProject {
  /** Absolute folder of the project, with forward slashes. */
  readonly root: string;
  readonly program: ts.Program;
  readonly checker: ts.TypeChecker;
  /**
   * The files that are checked: no declaration files, nothing below node_modules, no tests. Each file
   * is checked in one project of a run.
   */
  readonly sourceFiles: readonly ts.SourceFile[];
  /**
   * All code of the program that is not installed: the checked files, and files of the same program
   * or workspace that they are used from or import. No declaration files, no tests.
   */
  readonly ownFiles: readonly ts.SourceFile[];
  /** Test files that were left out of both lists. */
  readonly testFiles: readonly ts.SourceFile[];
  /** Absolute path of the folder of the nearest package.json, or the root without one. */
  packageFolderOf(fileName: string): string;
  /** The name in the nearest package.json of a file; null without one. */
  packageNameOf(fileName: string): string | null;
  /** The files that a file imports, as far as they are code of the project itself. */
  importsOf(file: ts.SourceFile): readonly ts.SourceFile[];
  /** Where a node starts, relative to the working directory. */
  locate(node: ts.Node): SourceLocation;
  /** An absolute path relative to the working directory, with forward slashes. */
  relative(fileName: string): string;
}
