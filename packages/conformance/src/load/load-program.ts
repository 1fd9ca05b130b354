import path from 'node:path';
import { getLibFiles, ts } from '../../engine/typescript.mjs';
import type { SourceLocation } from '../model/location.js';
import { forAnalysis } from './compiler-defaults.js';
import type { ProjectPlan } from './find-projects.js';
import type { LoadedProject } from './loaded-project.js';
import { mcpPackageOf, mcpTypesText } from './mcp-types.js';
import { createModuleResolver } from './module-resolver.js';
import { foldersUpward, readPackageJson } from './package-json.js';
import { isInstalled, isWithin, relativeTo, toSlashes } from './paths.js';
import { SourceFileCache } from './source-file-cache.js';
import { isTestFile } from './test-files.js';

/** The standard library's declarations come with the compiler as text, so they are served from a folder that no disk has. */
const LIB_FOLDER = '/__typescript-lib__';
const LIB_FILES: ReadonlyMap<string, string> = new Map(
  getLibFiles().map(({ fileName, text }) => [`${LIB_FOLDER}/${fileName}`, text]),
);

export interface LoadOptions {
  readonly cwd: string;
  /** Globs, relative to a project's folder, of more test files. */
  readonly testFileGlobs: readonly string[];
  /** Files and folders that were named outright. */
  readonly named: ReadonlySet<string>;
  readonly cache: SourceFileCache;
}

/**
 * Makes a program of a plan. ts-morph's package brings the compiler; its own Project is not used, because it
 * leaves a file's module format unset and so resolves packages without a `require` condition to nothing.
 */
export function loadProgram(plan: ProjectPlan, load: LoadOptions): LoadedProject {
  const options = forAnalysis(plan.options);
  const imports = new Map<string, Set<string>>();
  const host = createHost(plan.root, options, load.cache, imports);
  const program = ts.createProgram({ rootNames: plan.rootNames, options, host });
  return new ProgramView(plan, load, program, imports);
}

function createHost(
  root: string,
  options: ts.CompilerOptions,
  cache: SourceFileCache,
  imports: Map<string, Set<string>>,
): ts.CompilerHost {
  const settingsKey = SourceFileCache.settingsKey(options);
  const { sys } = ts;
  const provided = (name: string): string | undefined => LIB_FILES.get(name) ?? mcpTypesText(name);
  const host: ts.CompilerHost = {
    fileExists: (name) => provided(name) !== undefined || sys.fileExists(name),
    readFile: (name) => provided(name) ?? sys.readFile(name),
    directoryExists: (name) => name !== LIB_FOLDER && sys.directoryExists(name),
    getDirectories: (name) => sys.getDirectories(name),
    ...(sys.realpath === undefined ? {} : { realpath: sys.realpath.bind(sys) }),
    getSourceFile: (name, languageVersion) =>
      cache.get(settingsKey, name, languageVersion, () => provided(name) ?? sys.readFile(name)),
    getDefaultLibFileName: (given) => `${LIB_FOLDER}/${ts.getDefaultLibFileName(given)}`,
    getDefaultLibLocation: () => LIB_FOLDER,
    getCurrentDirectory: () => root,
    getCanonicalFileName: (name) => (sys.useCaseSensitiveFileNames ? name : name.toLowerCase()),
    useCaseSensitiveFileNames: () => sys.useCaseSensitiveFileNames,
    getNewLine: () => '\n',
    writeFile: () => undefined,
  };
  const resolve = createModuleResolver(options, host, root);
  host.resolveModuleNameLiterals = (literals, containingFile, redirected, _options, containingSourceFile) =>
    literals.map((literal) => {
      const resolution = resolve(literal, containingSourceFile, redirected);
      const resolved = resolution.resolvedModule?.resolvedFileName;
      if (resolved !== undefined && !isInstalled(resolved)) {
        const known = imports.get(containingFile);
        imports.set(containingFile, (known ?? new Set()).add(resolved));
      }
      return resolution;
    });
  return host;
}

class ProgramView implements LoadedProject {
  readonly root: string;
  readonly program: ts.Program;
  readonly checker: ts.TypeChecker;
  readonly sourceFiles: readonly ts.SourceFile[];
  readonly ownFiles: readonly ts.SourceFile[];
  readonly testFiles: readonly ts.SourceFile[];
  readonly #cwd: string;
  readonly #imports: ReadonlyMap<string, ReadonlySet<string>>;
  readonly #symbols = new Map<ts.Node, ts.Symbol | undefined>();
  readonly #packages = new Map<string, { readonly folder: string; readonly name: string | null }>();

  constructor(
    plan: ProjectPlan,
    load: LoadOptions,
    program: ts.Program,
    imports: ReadonlyMap<string, ReadonlySet<string>>,
  ) {
    this.root = plan.root;
    this.program = program;
    this.checker = program.getTypeChecker();
    this.#cwd = load.cwd;
    this.#imports = imports;
    const checked = new Set(plan.checked);
    const isTest = (file: ts.SourceFile): boolean => {
      // What was named outright is checked, though it lies in a folder of tests or is one.
      const folders = [...load.named].filter((name) => isWithin(name, file.fileName));
      const root = [plan.root, ...folders].reduce((a, b) => (a.length >= b.length ? a : b));
      return root !== file.fileName && isTestFile(relativeTo(root, file.fileName), load.testFileGlobs);
    };
    const all = program
      .getSourceFiles()
      .filter((file) => !file.isDeclarationFile && !isInstalled(file.fileName) && !isJson(file));
    this.testFiles = all.filter(isTest);
    this.ownFiles = all.filter((file) => !isTest(file));
    this.sourceFiles = this.ownFiles.filter((file) => checked.has(file.fileName));
  }

  symbolAt(node: ts.Node): ts.Symbol | undefined {
    const known = this.#symbols.get(node);
    if (known !== undefined || this.#symbols.has(node)) {
      return known;
    }
    const symbol =
      ts.isShorthandPropertyAssignment(node.parent) && node.parent.name === node
        ? this.checker.getShorthandAssignmentValueSymbol(node.parent)
        : this.checker.getSymbolAtLocation(node);
    this.#symbols.set(node, symbol);
    return symbol;
  }

  packageFolderOf(fileName: string): string {
    return this.#packageOf(fileName).folder;
  }

  packageNameOf(fileName: string): string | null {
    return this.#packageOf(fileName).name;
  }

  importsOf(file: ts.SourceFile): readonly ts.SourceFile[] {
    return [...(this.#imports.get(file.fileName) ?? [])]
      .map((name) => this.program.getSourceFile(name))
      .filter((found): found is ts.SourceFile => found !== undefined);
  }

  locate(node: ts.Node): SourceLocation {
    const file = node.getSourceFile();
    const { line, character } = file.getLineAndCharacterOfPosition(node.getStart(file));
    return { file: this.relative(file.fileName), line: line + 1, column: character + 1 };
  }

  relative(fileName: string): string {
    return relativeTo(this.#cwd, fileName);
  }

  #packageOf(fileName: string): { readonly folder: string; readonly name: string | null } {
    const folder = path.dirname(fileName);
    const standIn = mcpPackageOf(fileName);
    if (standIn !== null) {
      return { folder, name: standIn };
    }
    const known = this.#packages.get(folder);
    if (known !== undefined) {
      return known;
    }
    let found: { readonly folder: string; readonly name: string | null } = { folder: this.root, name: null };
    for (const above of foldersUpward(folder)) {
      const packageJson = readPackageJson(above);
      // A package.json that only sets a module format (`{ "type": "module" }` in a source folder) is no package.
      if (packageJson !== null && (packageJson.name !== undefined || packageJson.type === undefined)) {
        found = {
          folder: toSlashes(above),
          name: typeof packageJson.name === 'string' ? packageJson.name : null,
        };
        break;
      }
    }
    this.#packages.set(folder, found);
    return found;
  }
}

function isJson(file: ts.SourceFile): boolean {
  return file.fileName.endsWith('.json');
}
