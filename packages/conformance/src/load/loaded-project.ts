import type { ts } from '../../engine/typescript.mjs';
import type { SourceLocation } from '../model/location.js';

/**
 * Everything that the analysis asks the type checker, by one interface: discovery, the compiler's own helpers and the raw
 * handler's facts through this, the interpretation through `TypeQueries`, which is made of it. A question that is not here is
 * asked by nobody, and the linter refuses the compiler's own type of the checker everywhere else.
 *
 * What an engine outside this process would have to answer is in decision 0027.
 */
export type Checker = Pick<
  ts.TypeChecker,
  // Names: cheap, a walk up the scopes, and a table of exports.
  | 'getSymbolAtLocation'
  | 'getShorthandAssignmentValueSymbol'
  | 'getExportSpecifierLocalTargetSymbol'
  | 'getAliasedSymbol'
  | 'getImmediateAliasedSymbol'
  | 'getExportsOfModule'
  | 'tryGetMemberInModuleExports'
  // Declared types: as cheap as what is written is short.
  | 'getTypeFromTypeNode'
  | 'getTypeOfSymbol'
  | 'getDeclaredTypeOfSymbol'
  | 'getSignatureFromDeclaration'
  | 'getConstantValue'
  // Checked types: these infer, and cost what checking the expression costs.
  | 'getTypeAtLocation'
  | 'getContextualType'
  // What a type is made of.
  | 'getApparentType'
  | 'getBaseConstraintOfType'
  | 'getBaseTypes'
  | 'getIndexInfosOfType'
  | 'getIndexTypeOfType'
  | 'getPropertiesOfType'
  | 'getPropertyOfType'
  | 'getSignaturesOfType'
  | 'getTypeArguments'
  | 'isArrayType'
  | 'isTupleType'
  | 'typeToString'
>;

/** The files of a program; what else a compiler's program can do (emit, diagnose) is not asked. */
export type ProgramFiles = Pick<
  ts.Program,
  'getSourceFiles' | 'getCompilerOptions' | 'isSourceFileDefaultLibrary'
>;

/** One TypeScript (or JavaScript) program, as the analysis sees it. */
export interface LoadedProject {
  /** Absolute folder of the project, with forward slashes. */
  readonly root: string;
  readonly program: ProgramFiles;
  readonly checker: Checker;
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
  /**
   * What a name refers to where it stands; of an import, the import itself. Several stages ask for the same names, and the
   * checker looks for them anew each time.
   */
  symbolAt(node: ts.Node): ts.Symbol | undefined;
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
