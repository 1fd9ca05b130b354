import { describe, expect, it } from 'vitest';
import type { FactBase, ToolFacts } from '../model/fact-base.js';
import type { Rule } from '../model/rule.js';
import type { RuleVerdict } from '../model/verdict.js';
import { runRules } from './run-rules.js';

const location = { file: 'a.ts', line: 3, column: 1 };
const tool: ToolFacts = {
  id: '.#save',
  framework: 'toolwright',
  location,
  plugin: '.',
  name: { value: 'save', location, why: '' },
  effect: { kind: 'absent', value: 'read_only', location, why: '', witness: [] },
  reach: null,
  previewReach: null,
  paths: null,
  hasPreview: false,
  returns: [],
};
const facts: FactBase = {
  tools: [tool],
  rebuilds: [],
  rawHandler: { isPresent: false, uses: [] },
  unresolved: [],
  assumptions: [],
  files: 1,
  paths: 0,
  manifests: [],
};

function answering(verdict: Partial<RuleVerdict>): Rule {
  const base = { rule: 'tool-names-unique', toolId: tool.id, location: null } as const;
  return {
    id: 'tool-names-unique',
    summary: '',
    check: () => ({
      verdicts: [{ ...base, verdict: 'proven', confidence: 'proven', reason: 'why', ...verdict }],
      diagnostics: [],
    }),
  };
}

describe('runRules', () => {
  it('adds the finding that a verdict lacks when it is violated or inconclusive', () => {
    for (const verdict of ['violated', 'inconclusive'] as const) {
      expect(runRules([answering({ verdict })], facts, false).diagnostics).toEqual([
        expect.objectContaining({ verdict, message: 'why', toolId: tool.id, location }),
      ]);
    }
    expect(runRules([answering({ verdict: 'proven' })], facts, false).diagnostics).toEqual([]);
  });

  it('takes what only names speak for as undecided when it is strict', () => {
    const byName = answering({ confidence: 'by-name' });
    expect(runRules([byName], facts, false).verdicts).toMatchObject([{ verdict: 'proven' }]);
    const strict = runRules([byName], facts, true);
    expect(strict.verdicts).toMatchObject([{ verdict: 'inconclusive', confidence: 'by-name' }]);
    expect(strict.diagnostics).toMatchObject([{ verdict: 'inconclusive', location }]);
  });
});
