import { describe, expect, it } from 'vitest';
import {
  BROKEN_RULES,
  brokenPluginProblems,
  parseReport,
  soundPluginProblems,
  type DemoReport,
} from './demo-expectations.js';

const verdict = (tool: string | null, rule: string, is = 'proven') => ({ tool, rule, verdict: is });

const sound: DemoReport = {
  schemaVersion: 1,
  summary: { tools: 3, proven: 10, violated: 0 },
  tools: [
    { name: 'read_page', effect: 'read_only' },
    { name: 'rename_page', effect: 'idempotent_write' },
    { name: 'create_page', effect: 'non_idempotent_write' },
  ],
  verdicts: [
    ...['read_page', 'rename_page', 'create_page'].flatMap((tool) => [
      verdict(tool, 'effect-is-constant'),
      verdict(tool, 'tool-names-unique'),
      verdict(tool, tool === 'read_page' ? 'reader-returns-no-target' : 'writer-returns-target'),
    ]),
    verdict(null, 'raw-handler-stays-wrapped'),
  ],
  diagnostics: [],
};

const broken: DemoReport = {
  ...sound,
  diagnostics: BROKEN_RULES.map((rule) => {
    const file = `examples/broken-plugin/src/faults/${rule}.ts`;
    return { rule, verdict: 'violated', file, witness: [{ file, line: 1 }] };
  }),
};

describe('what the demonstration expects of the good plugin', () => {
  it('is met when everything is proven', () => {
    expect(soundPluginProblems(sound)).toEqual([]);
  });

  it('is not met when a verdict is missing, a tool has another effect, or nothing was looked at', () => {
    const withoutOne = { ...sound, verdicts: sound.verdicts.slice(1) };
    expect(soundPluginProblems(withoutOne)).toEqual([
      'expected effect-is-constant to be proven of read_page',
    ]);
    const relabelled = { ...sound, tools: sound.tools.map((tool) => ({ ...tool, effect: 'read_only' })) };
    expect(soundPluginProblems(relabelled)[0]).toContain('found create_page: read_only');
    expect(soundPluginProblems({ ...sound, tools: [], verdicts: [] }).length).toBeGreaterThan(9);
  });

  it.each(['violated', 'inconclusive'])('is not met when a verdict is %s', (is) => {
    const report = { ...sound, verdicts: [...sound.verdicts, verdict('read_page', 'a-rule', is)] };
    expect(soundPluginProblems(report)).toEqual([
      `expected nothing but proof, found a-rule ${is} of read_page`,
    ]);
  });
});

describe('what the demonstration expects of the broken plugin', () => {
  it('is met when each fault is found in its own file', () => {
    expect(brokenPluginProblems(broken)).toEqual([]);
  });

  it.each(BROKEN_RULES)('is not met when %s is not found, or without the way to it', (rule) => {
    const others = broken.diagnostics.filter((found) => found.rule !== rule);
    expect(brokenPluginProblems({ ...broken, diagnostics: others })).toEqual([
      `expected a finding of ${rule} in faults/${rule}.ts, found none`,
    ]);
    const bare = broken.diagnostics.map((found) => (found.rule === rule ? { ...found, witness: [] } : found));
    expect(brokenPluginProblems({ ...broken, diagnostics: bare })).toEqual([
      `expected a way that leads to the finding of ${rule}`,
    ]);
  });

  it('is not met when a file has a fault of another rule too', () => {
    const file = 'examples/broken-plugin/src/faults/tool-names-unique.ts';
    const stray = { rule: 'writer-returns-target', verdict: 'violated', file, witness: [] };
    expect(brokenPluginProblems({ ...broken, diagnostics: [...broken.diagnostics, stray] })).toEqual([
      `expected one fault per file, found writer-returns-target in ${file}`,
    ]);
  });
});

it('parseReport refuses what is no report of version 1', () => {
  expect(() => parseReport('{"schemaVersion":2}')).toThrow();
});
