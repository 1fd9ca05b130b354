import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { beforeAll, describe, expect, it } from 'vitest';

// What must not compile is written in fixtures, with the expected error under the code it points at:
// the marked columns, the compiler's code, and words of the message. `valid.ts` expects none.

const FIXTURES = fileURLToPath(new URL('./fixtures/', import.meta.url));
const BASE_CONFIG = fileURLToPath(new URL('../../../../tsconfig.base.json', import.meta.url));
/** Most lines of an error that a tool author must read. */
const MAX_MESSAGE_LINES = 8;
const MAX_MESSAGE_LENGTH = 1100;

interface FixtureError {
  /** `line:column+length`, lines and columns counted from 1. */
  readonly place: string;
  readonly code: number;
  readonly message: string;
}

const EXPECTATION = /^(\s*\/\/\s*)(\^+) (\d+) (.+)$/u;

/** Several comments in a row belong to the same line of code. */
function expectedErrors(source: string): readonly FixtureError[] {
  const expected: FixtureError[] = [];
  let line = 0;
  source.split('\n').forEach((text, index) => {
    const [, before, mark, code, message] = EXPECTATION.exec(text) ?? [];
    if (before === undefined || mark === undefined || message === undefined) {
      line = index + 1;
      return;
    }
    expected.push({
      place: placeOf(line, before.length, mark.length),
      code: Number(code),
      message: message.trim(),
    });
  });
  return expected;
}

function compile(paths: readonly string[]): ReadonlyMap<string, readonly FixtureError[]> {
  const config = ts.readConfigFile(BASE_CONFIG, (path) => ts.sys.readFile(path));
  const { options } = ts.parseJsonConfigFileContent(config.config, ts.sys, dirname(BASE_CONFIG));
  const program = ts.createProgram([...paths], {
    ...options,
    composite: false,
    declaration: false,
    declarationMap: false,
    noEmit: true,
  });
  expect(program.getGlobalDiagnostics().map(messageOf)).toEqual([]);
  expect(program.getOptionsDiagnostics().map(messageOf)).toEqual([]);
  return new Map(paths.map((path) => [path, errorsIn(program, path)]));
}

function errorsIn(program: ts.Program, path: string): readonly FixtureError[] {
  const file = program.getSourceFile(path)!;
  return [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)].map(
    (diagnostic) => {
      const { line, character } = file.getLineAndCharacterOfPosition(diagnostic.start ?? 0);
      return {
        place: placeOf(line + 1, character, diagnostic.length ?? 0),
        code: diagnostic.code,
        message: messageOf(diagnostic),
      };
    },
  );
}

function messageOf(diagnostic: ts.Diagnostic): string {
  return ts.flattenDiagnosticMessageText(diagnostic.messageText, '\n');
}

function placeOf(line: number, column: number, length: number): string {
  return `${String(line)}:${String(column + 1)}+${String(length)}`;
}

function shown({ place, code }: FixtureError): string {
  return `${place} ${String(code)}`;
}

const names = readdirSync(FIXTURES).filter((name) => name.endsWith('.ts'));

describe('the types of the contract', () => {
  let reported: ReadonlyMap<string, readonly FixtureError[]>;

  beforeAll(() => {
    reported = compile(names.map((name) => join(FIXTURES, name)));
  }, 240_000);

  it.each(names)('give the errors that the fixture expects, where it expects them: %s', (name) => {
    const path = join(FIXTURES, name);
    const expected = expectedErrors(readFileSync(path, 'utf8'));
    const found = reported.get(path) ?? [];
    expect(found.map(shown)).toEqual(expected.map(shown));
    found.forEach(({ message }, index) => {
      expect(message).toContain(expected[index]?.message);
    });
  });

  it.each(names)('give short errors: %s', (name) => {
    for (const { place, message } of reported.get(join(FIXTURES, name)) ?? []) {
      expect(message.split('\n').length, `${place}\n${message}`).toBeLessThanOrEqual(MAX_MESSAGE_LINES);
      expect(message.length, `${place}\n${message}`).toBeLessThanOrEqual(MAX_MESSAGE_LENGTH);
    }
  });

  it('give no error in the fixture of what must compile, and some in every other', () => {
    const counts = names.map((name) => [name, reported.get(join(FIXTURES, name))?.length ?? 0] as const);
    expect(counts.filter(([, count]) => count === 0).map(([name]) => name)).toEqual(['valid.ts']);
  });
});
