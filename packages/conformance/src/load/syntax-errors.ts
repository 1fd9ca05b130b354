import { SDK_MODULE } from '@toolwright/sdk/contract-names';
import { ts } from '../../engine/typescript.mjs';
import { ConformanceError } from '../model/errors.js';
import type { SourceLocation } from '../model/location.js';
import type { LoadedProject } from './loaded-project.js';

interface SyntaxErrorFound extends SourceLocation {
  readonly message: string;
}

/**
 * Checks that every file which a tool's file imports, directly or not, parses. Half a file would be
 * half an analysis.
 *
 * @returns one note for each file that does not parse and that no tool reaches
 * @throws ConformanceError with code `SYNTAX_ERROR`
 */
export function assertReachedFilesParse(
  project: LoadedProject,
  toolFiles: Iterable<ts.SourceFile>,
): readonly string[] {
  const closure = importClosure(project, toolFiles);
  const notes: string[] = [];
  for (const file of project.ownFiles) {
    const error = firstSyntaxError(project, file);
    if (error === null) {
      continue;
    }
    const what = `${error.file}:${String(error.line)}:${String(error.column)} does not parse: ${error.message}`;
    // A file that uses the contracts may define a tool in the part that cannot be read.
    if (closure.has(file) || mentionsContracts(file)) {
      throw new ConformanceError(
        'SYNTAX_ERROR',
        `${what} A tool reaches this file, so nothing can be proven without it. Correct the syntax and run again.`,
      );
    }
    notes.push(`${what} No tool reaches this file; it was read as far as it parses.`);
  }
  return notes;
}

function mentionsContracts(file: ts.SourceFile): boolean {
  return file.text.includes(SDK_MODULE);
}

function importClosure(project: LoadedProject, from: Iterable<ts.SourceFile>): ReadonlySet<ts.SourceFile> {
  const closure = new Set<ts.SourceFile>();
  const queue = [...from];
  for (let file = queue.pop(); file !== undefined; file = queue.pop()) {
    if (!closure.has(file)) {
      closure.add(file);
      queue.push(...project.importsOf(file));
    }
  }
  return closure;
}

function firstSyntaxError(project: LoadedProject, file: ts.SourceFile): SyntaxErrorFound | null {
  const { parseDiagnostics = [] } = file as unknown as {
    readonly parseDiagnostics?: readonly ts.DiagnosticWithLocation[];
  };
  const [error] = parseDiagnostics;
  if (error === undefined) {
    return null;
  }
  const { line, character } = file.getLineAndCharacterOfPosition(error.start);
  return {
    file: project.relative(file.fileName),
    line: line + 1,
    column: character + 1,
    message: ts.flattenDiagnosticMessageText(error.messageText, ' '),
  };
}
