import { readdirSync, readFileSync } from 'node:fs';
import type { RuleId, Verdict } from '@toolwright/conformance';

const FOLDER = new URL('../../packages/catalogue/contract-fixtures/', import.meta.url);

/** What a line of a fixture is marked with. */
export interface ExpectedPlace {
  readonly place: string;
  /** What the command says about it; null where it shows the fault elsewhere. */
  readonly command: 'violated' | 'inconclusive' | null;
  /** Which presets find it. */
  readonly lint: 'both' | 'none' | 'typed';
}

/** A case of `contract-fixtures/<conformance rule>.md`, with what each tool has to say about it. */
export interface SharedFixture {
  readonly rule: RuleId;
  readonly title: string;
  readonly files: Readonly<Record<string, string>>;
  /** The command's verdicts by tool, by `project`, or by the line of a rebuild. */
  readonly verdicts: ReadonlyMap<string, Verdict>;
  readonly places: readonly ExpectedPlace[];
}

const MARKS: Readonly<Record<string, Omit<ExpectedPlace, 'place'>>> = {
  both: { command: 'violated', lint: 'both' },
  'both, with types': { command: 'violated', lint: 'typed' },
  command: { command: 'violated', lint: 'none' },
  'command undecided': { command: 'inconclusive', lint: 'none' },
  lint: { command: null, lint: 'both' },
  'lint, with types': { command: null, lint: 'typed' },
  'lint, command undecided': { command: 'inconclusive', lint: 'both' },
};

export function readSharedFixtures(): readonly SharedFixture[] {
  return readdirSync(FOLDER)
    .filter((name) => name.endsWith('.md') && name !== 'README.md')
    .flatMap((name) =>
      readFileSync(new URL(name, FOLDER), 'utf8')
        .split(/^## /mu)
        .slice(1)
        .map((section) => parseFixture(section, name.replace(/\.md$/u, '') as RuleId)),
    );
}

function parseFixture(section: string, rule: RuleId): SharedFixture {
  const title = section.slice(0, section.indexOf('\n')).trim();
  const files: Record<string, string> = {};
  for (const [, path = '', code = ''] of section.matchAll(/^```ts (\S+)\n(.*?)^```$/gmsu)) {
    files[path] = code;
  }
  const verdicts = new Map<string, Verdict>();
  for (const [, subject = '', verdict = ''] of section.matchAll(/^- `([^`]+)`: (\w+)$/gmu)) {
    verdicts.set(subject, verdict as Verdict);
  }
  if (Object.keys(files).length === 0 || verdicts.size === 0) {
    throw new Error(`${rule}, ${title}: a case has a code block with a path, and the command's verdicts.`);
  }
  return { rule, title, files, verdicts, places: placesIn(files, `${rule}, ${title}`) };
}

function placesIn(files: SharedFixture['files'], subject: string): ExpectedPlace[] {
  return Object.entries(files).flatMap(([path, code]) => {
    let codeLine = 0;
    return code.split('\n').flatMap((line, index) => {
      const mark = /^\s*\/\/ *(?:\^|<-) (.+)$/u.exec(line)?.[1];
      if (mark === undefined) {
        codeLine = index + 1;
        return [];
      }
      const expected = MARKS[mark];
      if (expected === undefined) {
        throw new Error(`${subject}: "${mark}" is no mark (${Object.keys(MARKS).join('; ')}).`);
      }
      return [{ place: `${path}:${String(codeLine)}`, ...expected }];
    });
  });
}
