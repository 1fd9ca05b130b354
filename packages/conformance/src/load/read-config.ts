import { statSync } from 'node:fs';
import path from 'node:path';
import { ts } from '../../engine/typescript.mjs';
import { ConformanceError } from '../model/errors.js';
import { withDefaultsForMissingBase, withDefaultsOf } from './compiler-defaults.js';
import { relativeTo, toSlashes } from './paths.js';
import { typeScriptMajorOf } from './typescript-version.js';

/** A tsconfig.json or jsconfig.json as the project's own TypeScript understands it. */
export interface ProjectConfig {
  /** Absolute, with forward slashes. */
  readonly fileName: string;
  readonly options: ts.CompilerOptions;
  /** Absolute paths of the source files that it lists; empty in a solution. */
  readonly fileNames: readonly string[];
  /** Absolute paths of the configurations that it refers to. */
  readonly references: readonly string[];
  /** Whether it says itself which files it takes, or takes every one below its folder. */
  readonly listsFiles: boolean;
  readonly assumptions: readonly string[];
}

// A package that is extended is not found; a file that is extended cannot be read.
const CODES_BASE_NOT_FOUND = new Set([6053, 5083]);
const CODE_CIRCULAR_EXTENDS = 18000;
const CODES_NO_INPUT = new Set([18002, 18003]);

/** Reads configurations once each; paths in messages are relative to `cwd`. */
export class ConfigReader {
  readonly #cwd: string;
  readonly #read = new Map<string, ProjectConfig>();

  constructor(cwd: string) {
    this.#cwd = cwd;
  }

  /** @throws ConformanceError with code `BAD_TSCONFIG`. */
  read(fileName: string): ProjectConfig {
    const key = toSlashes(path.resolve(fileName));
    const known = this.#read.get(key);
    if (known !== undefined) {
      return known;
    }
    const config = this.#parse(key);
    this.#read.set(key, config);
    return config;
  }

  #parse(fileName: string): ProjectConfig {
    const shown = relativeTo(this.#cwd, fileName);
    const text = ts.sys.readFile(fileName);
    if (text === undefined) {
      throw new ConformanceError(
        'BAD_TSCONFIG',
        `Cannot read ${shown}. Check that it is there and readable.`,
      );
    }
    const source = ts.readJsonConfigFile(fileName, () => text);
    const [syntaxError] = parseDiagnosticsOf(source);
    if (syntaxError !== undefined) {
      throw new ConformanceError(
        'BAD_TSCONFIG',
        `${shown} is no valid JSON: ${describe(source, syntaxError)}`,
      );
    }
    // The extended configurations are read through `ts.sys`; one that cannot be found becomes an error below.
    const parsed = ts.parseJsonSourceFileConfigFileContent(
      source,
      ts.sys,
      path.dirname(fileName),
      undefined,
      fileName,
    );
    const missingBases = this.#judgeErrors(shown, source, parsed.errors);
    const raw = recordOf(parsed.raw);
    return {
      fileName,
      options: this.#optionsOf(fileName, parsed.options, missingBases),
      fileNames: parsed.fileNames.map(toSlashes),
      references: (parsed.projectReferences ?? []).map((reference) => configOfReference(reference.path)),
      listsFiles: Array.isArray(raw['files']) || Array.isArray(raw['include']),
      assumptions: missingBases.map(
        (base) =>
          `${shown} extends "${base}", which is not installed: what it leaves out was taken as strict, ` +
          'ES modules, resolved as a bundler does.',
      ),
    };
  }

  #optionsOf(
    fileName: string,
    options: ts.CompilerOptions,
    missingBases: readonly string[],
  ): ts.CompilerOptions {
    return missingBases.length > 0
      ? withDefaultsForMissingBase(options)
      : withDefaultsOf(typeScriptMajorOf(path.dirname(fileName)), options);
  }

  /** Throws on what cannot be worked with; answers the names of extended packages that are not installed. */
  #judgeErrors(shown: string, source: ts.SourceFile, errors: readonly ts.Diagnostic[]): readonly string[] {
    const missingBases: string[] = [];
    for (const error of errors) {
      const message = ts.flattenDiagnosticMessageText(error.messageText, ' ');
      if (CODES_NO_INPUT.has(error.code)) {
        continue;
      }
      if (CODES_BASE_NOT_FOUND.has(error.code)) {
        const base = /'([^']*)'/u.exec(message)?.[1] ?? '';
        if (base !== '' && !/^(\.{0,2}[\\/]|[A-Za-z]:)/u.test(base)) {
          missingBases.push(base);
          continue;
        }
        throw new ConformanceError(
          'BAD_TSCONFIG',
          `${shown} extends "${relativeTo(this.#cwd, path.resolve(path.dirname(source.fileName), base))}", which does not exist. ` +
            'Correct the path in "extends", or create the file.',
        );
      }
      // Codes from 1000 to 1999 are syntax: of this file, or of one that it extends.
      if (error.code === CODE_CIRCULAR_EXTENDS || (error.code >= 1000 && error.code < 2000)) {
        const where = error.file === undefined ? shown : relativeTo(this.#cwd, error.file.fileName);
        throw new ConformanceError('BAD_TSCONFIG', `${where} cannot be used: ${describe(error.file, error)}`);
      }
      // Everything else is an option that this TypeScript does not know or no longer takes. It says how
      // the project is built, not what its code does.
    }
    return missingBases;
  }
}

function describe(source: ts.SourceFile | undefined, error: ts.Diagnostic): string {
  const message = ts.flattenDiagnosticMessageText(error.messageText, ' ');
  if (source === undefined || error.start === undefined) {
    return message;
  }
  const { line, character } = source.getLineAndCharacterOfPosition(error.start);
  return `line ${String(line + 1)}, column ${String(character + 1)}: ${message}`;
}

/** Syntax errors of a configuration; the compiler keeps them on the file, without a public type. */
function parseDiagnosticsOf(source: ts.TsConfigSourceFile): readonly ts.Diagnostic[] {
  return (
    (source as unknown as { readonly parseDiagnostics?: readonly ts.Diagnostic[] }).parseDiagnostics ?? []
  );
}

/** A reference names a configuration, or the folder of a tsconfig.json. */
function configOfReference(reference: string): string {
  const isFolder =
    statSync(reference, { throwIfNoEntry: false })?.isDirectory() ?? !reference.endsWith('.json');
  return toSlashes(isFolder ? path.join(reference, 'tsconfig.json') : reference);
}

function recordOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
