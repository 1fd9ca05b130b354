import type { ts } from 'ts-morph';
import type { SourceLocation } from '../model/location.js';

/** One TypeScript (or JavaScript) program, as the analysis sees it. */
export interface LoadedProject {
  /** Absolute folder of the project, with forward slashes. */
  readonly root: string;
  readonly program: ts.Program;
  readonly checker: ts.TypeChecker;
  /** The project's own source files: no declaration files, nothing below node_modules. */
  readonly sourceFiles: readonly ts.SourceFile[];
  /** Absolute path of the folder of the nearest package.json, or the root without one. */
  packageFolderOf(fileName: string): string;
  /** Where a node starts, relative to the working directory. */
  locate(node: ts.Node): SourceLocation;
  /** An absolute path relative to the working directory, with forward slashes. */
  relative(fileName: string): string;
}
