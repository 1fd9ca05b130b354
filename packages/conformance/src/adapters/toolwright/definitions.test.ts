import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { checkFixture } from '../../testing/check-fixture.js';

interface Case {
  readonly title: string;
  readonly files: readonly (readonly [path: string, text: string])[];
  readonly expected: readonly string[];
}

function readCases(): readonly Case[] {
  return readFileSync(new URL('fixtures/definitions.md', import.meta.url), 'utf8')
    .split(/^## /mu)
    .slice(1)
    .map((section) => ({
      title: section.slice(0, section.indexOf('\n')).trim(),
      files: [...section.matchAll(/^```ts (\S+)\n(.*?)^```$/gmsu)].map(
        ([, path = '', text = '']) => [path, text] as const,
      ),
      expected: [...section.matchAll(/^- `([^`]+)`: (\w+)$/gmu)].map(
        ([, tool = '', verdict = '']) => `${tool}: ${verdict}`,
      ),
    }));
}

const TSCONFIG = JSON.stringify({
  compilerOptions: { target: 'ES2022', module: 'NodeNext', strict: true, types: [] },
  include: ['packages'],
});

describe('a tool of the SDK', () => {
  const cases = readCases();
  const files = cases.flatMap((one, index) => [
    [`packages/p${String(index)}/package.json`, '{ "type": "module" }'] as const,
    ...one.files.map(([path, text]) => [`packages/p${String(index)}/${path}`, text] as const),
  ]);
  const report = checkFixture(
    { 'tsconfig.json': TSCONFIG, ...Object.fromEntries(files) },
    { rules: ['writer-returns-target', 'reader-returns-no-target'] },
  );
  const tools = new Map(report.tools.map((tool) => [tool.id, tool]));
  const found = report.verdicts.flatMap(({ toolId, verdict }) => {
    const tool = tools.get(toolId ?? '');
    return tool === undefined || verdict === 'not_applicable'
      ? []
      : [{ file: tool.location.file, text: `${tool.name ?? '?'}: ${verdict}` }];
  });

  it.each(cases.map((one, index) => ({ ...one, folder: `packages/p${String(index)}/` })))(
    'is found, and judged by each of its bodies, when $title',
    ({ folder, expected }) => {
      const verdicts = found.filter(({ file }) => file.startsWith(folder)).map(({ text }) => text);
      expect(expected).not.toEqual([]);
      expect([...verdicts].sort()).toEqual([...expected].sort());
    },
  );
});
