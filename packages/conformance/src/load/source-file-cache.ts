import { PRESERVED_TAG } from '@toolwright/sdk/contract-names';
import { ts } from '../../engine/typescript.mjs';

/**
 * Parsed files, shared between the programs of one run, or of several. A file is shared only where its
 * text and the options that shape its tree and its binding are the same.
 */
export class SourceFileCache {
  readonly #files = new Map<string, ts.SourceFile>();

  /** What of a program's options goes into the trees of its files. */
  static settingsKey(options: ts.CompilerOptions): string {
    const { target, module, moduleResolution, moduleDetection, jsx, strict, alwaysStrict, allowJs, checkJs } =
      options;
    return JSON.stringify([
      target,
      module,
      moduleResolution,
      moduleDetection,
      jsx,
      strict,
      alwaysStrict,
      allowJs,
      checkJs,
      options.noImplicitAny,
      options.strictNullChecks,
      options.experimentalDecorators,
      options.useDefineForClassFields,
      options.verbatimModuleSyntax,
      options.isolatedModules,
    ]);
  }

  get(
    settingsKey: string,
    fileName: string,
    options: ts.ScriptTarget | ts.CreateSourceFileOptions,
    read: () => string | undefined,
  ): ts.SourceFile | undefined {
    const format = typeof options === 'object' ? options.impliedNodeFormat : undefined;
    const key = `${settingsKey}\0${String(format)}\0${fileName}`;
    const text = read();
    const known = this.#files.get(key);
    if (text === undefined || known?.text === text) {
      return text === undefined ? undefined : known;
    }
    const parsed = ts.createSourceFile(fileName, text, withNeededComments(fileName, text, options));
    this.#files.set(key, parsed);
    return parsed;
  }
}

const PRESERVED_TAG_MARK = `@${PRESERVED_TAG}`;

/** Doc comments of declarations are long and say one thing that is asked for; code's own are read. */
function withNeededComments(
  fileName: string,
  text: string,
  options: ts.ScriptTarget | ts.CreateSourceFileOptions,
): ts.CreateSourceFileOptions {
  const given = typeof options === 'object' ? options : { languageVersion: options };
  const isDeclaration = /\.d\.([^./]+\.)?[cm]?ts$/u.test(fileName);
  return isDeclaration && !text.includes(PRESERVED_TAG_MARK)
    ? { ...given, jsDocParsingMode: ts.JSDocParsingMode.ParseNone }
    : given;
}
