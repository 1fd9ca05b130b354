import type ts from 'typescript';
import { packageNameOf } from '../references/package-name.js';

const byFile = new WeakMap<ts.SourceFile, Map<string, boolean>>();
const byProgram = new WeakMap<ts.Program, Map<string, boolean>>();

/**
 * Whether any file of a program has this text, the compiler's own libraries and one package aside.
 * Each file is searched once, so that a rule can ask for every linted file and pay for none.
 */
export function programMentions(program: ts.Program, text: string, exceptPackage: string): boolean {
  return remember(byProgram, program, text, () =>
    program
      .getSourceFiles()
      .some((file) => !program.isSourceFileDefaultLibrary(file) && fileMentions(file, text, exceptPackage)),
  );
}

function fileMentions(file: ts.SourceFile, text: string, exceptPackage: string): boolean {
  return remember(
    byFile,
    file,
    text,
    () => file.text.includes(text) && packageNameOf(file.fileName) !== exceptPackage,
  );
}

function remember<K extends object>(
  cache: WeakMap<K, Map<string, boolean>>,
  key: K,
  text: string,
  compute: () => boolean,
): boolean {
  const known = cache.get(key) ?? new Map<string, boolean>();
  cache.set(key, known);
  const found = known.get(text) ?? compute();
  known.set(text, found);
  return found;
}
