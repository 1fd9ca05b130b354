import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Verdict } from '../model/verdict.js';

/**
 * A case of a rule's `fixtures/<verdict>.md`: a heading, its files as code blocks (`ts src/tools.ts`), and
 * lines like "- `save`: proven" for tools that differ from the file's verdict. A comment line of
 * the form `// ^ finding` expects a finding in the line above, where the caret points; `// <- finding` one
 * where the comment itself starts; a line like "- finding at `file:1:1`" one where no comment can be.
 */
export interface FixtureCase {
  readonly title: string;
  readonly verdict: Verdict;
  /** Source texts by path; null leaves a file out that would otherwise be there. */
  readonly files: Readonly<Record<string, string | null>>;
  readonly toolVerdicts: ReadonlyMap<string, Verdict>;
  readonly findings: readonly string[];
}

const VERDICTS: readonly Verdict[] = ['proven', 'violated', 'inconclusive', 'not_applicable'];

/** The cases of a rule, by the fixtures folder beside its test. */
export function readFixtureCases(folder: URL): readonly FixtureCase[] {
  return readdirSync(fileURLToPath(folder))
    .filter((name) => name.endsWith('.md'))
    .flatMap((name) => {
      const verdict = VERDICTS.find((one) => name === `${one}.md`);
      if (verdict === undefined) {
        throw new Error(`${name}: a fixture file is called after a verdict (${VERDICTS.join(', ')}).`);
      }
      const text = readFileSync(new URL(name, folder), 'utf8');
      return text
        .split(/^## /mu)
        .slice(1)
        .map((section) => parseCase(section, verdict));
    });
}

function parseCase(section: string, verdict: Verdict): FixtureCase {
  const title = section.slice(0, section.indexOf('\n')).trim();
  const files: Record<string, string | null> = {};
  for (const [, path = '', code = ''] of section.matchAll(/^```\w* (\S+)\n(.*?)^```$/gmsu)) {
    files[path] = code;
  }
  for (const [, path = ''] of section.matchAll(/^- without `([^`]+)`$/gmu)) {
    files[path] = null;
  }
  const toolVerdicts = new Map<string, Verdict>();
  for (const [, tool = '', written = ''] of section.matchAll(/^- `([^`]+)`: (\w+)$/gmu)) {
    const found = VERDICTS.find((one) => one === written);
    if (found === undefined) {
      throw new Error(`${title}: ${written} is no verdict.`);
    }
    toolVerdicts.set(tool, found);
  }
  if (Object.keys(files).length === 0) {
    throw new Error(`${title}: the case has no code block with a path.`);
  }
  const elsewhere = [...section.matchAll(/^- finding at `([^`]+)`$/gmu)].map(([, place = '']) => place);
  return { title, verdict, files, toolVerdicts, findings: [...findingsIn(files), ...elsewhere] };
}

function findingsIn(files: FixtureCase['files']): readonly string[] {
  return Object.entries(files).flatMap(([path, code]) => {
    let codeLine = 0;
    return (code ?? '').split('\n').flatMap((line, index) => {
      const marker = /^\s*\/\/ *(\^|<-) finding/u.exec(line)?.[1];
      if (marker === undefined) {
        codeLine = index + 1;
        return [];
      }
      const column = line.indexOf(marker === '^' ? '^' : '//') + 1;
      return [`${path}:${String(codeLine)}:${String(column)}`];
    });
  });
}
