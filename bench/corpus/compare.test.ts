import { describe, expect, it } from 'vitest';
import type { CheckedRepository, CheckedTool, CheckedVerdict } from './check-repository.js';
import { compare, type Answer, type Truth } from './compare.js';
import type { Label, LabelledHint } from './labels.js';

const LABEL: Label = {
  repo: 'acme/server',
  commit: 'c0ffee',
  tool: 'get_page',
  file: 'src/pages.ts',
  line: 10,
  declaredReadOnly: 'true',
  declaredIdempotent: 'none',
  trueEffect: 'read_only',
  tier: 'read',
  howYouKnow: '[read] reads',
};
const TOOL: CheckedTool = {
  id: 'one',
  name: 'get_page',
  effect: 'read_only',
  declared: true,
  framework: 'mcp',
  file: 'src/pages.ts',
  line: 10,
};

const verdict = (rule: string, said: CheckedVerdict['verdict'], toolId = 'one'): CheckedVerdict => ({
  toolId,
  rule,
  verdict: said,
  confidence: 'checked',
  reason: `it is ${said}`,
});

function judged(
  label: Partial<Label>,
  tools: readonly CheckedTool[],
  verdicts: readonly CheckedVerdict[] = [],
) {
  const checked: CheckedRepository = {
    tools,
    verdicts,
    problem: '',
    exitCode: 0,
    wallSeconds: 1,
    cpuSeconds: 1,
    megabytes: 1,
  };
  return compare([{ ...LABEL, ...label }], checked)[0];
}

describe('a label beside what was found', () => {
  it.each<[string, Partial<CheckedTool>, boolean, boolean]>([
    ['the same name, wherever it stands in the file', { line: 300 }, true, true],
    ['no name, near the line', { name: null, line: 12 }, true, false],
    ['another name, near the line', { name: 'get_pages', line: 7 }, true, false],
    ['another name, further away', { name: 'get_pages', line: 14 }, false, false],
    ['the same name in another file', { file: 'src/other.ts' }, false, false],
  ])('finds a tool with %s: %#', (_what, tool, isFound, isNameRight) => {
    const one = judged({}, [{ ...TOOL, ...tool }]);
    expect(one?.tool !== null).toBe(isFound);
    expect(one?.isNameRight).toBe(isNameRight);
    if (!isFound) expect(one?.answer).toBe('not found');
  });

  it('takes the nearest of several tools of one name', () => {
    const tools = [
      { ...TOOL, id: 'far', line: 90 },
      { ...TOOL, id: 'near', line: 15 },
    ];
    expect(judged({}, tools)?.tool?.id).toBe('near');
  });

  it.each<[LabelledHint, LabelledHint, Label['trueEffect'], Truth]>([
    ['true', 'none', 'read_only', 'claims what it does'],
    ['true(default)', 'none', 'idempotent_write', 'claims less than it does'],
    ['true', 'true', 'non_idempotent_write', 'claims less than it does'],
    ['false', 'true', 'non_idempotent_write', 'claims less than it does'],
    ['false', 'true', 'read_only', 'claims what it does'],
    ['false', 'none', 'idempotent_write', 'claims what it does'],
    ['none', 'true', 'non_idempotent_write', 'claims less than it does'],
    ['none', 'none', 'non_idempotent_write', 'claims nothing'],
    ['true', 'none', 'unknown', 'nobody can say'],
  ])(
    'with the hints %s and %s on what is %s: %s',
    (declaredReadOnly, declaredIdempotent, trueEffect, truth) => {
      expect(judged({ declaredReadOnly, declaredIdempotent, trueEffect }, [TOOL])?.truth).toBe(truth);
    },
  );

  it.each<[string, readonly CheckedVerdict[], Answer]>([
    [
      'nothing of the rules about effects',
      [verdict('late-failure-names-the-write', 'violated')],
      'not applicable',
    ],
    ['a proof', [verdict('effect-matches-code', 'proven')], 'proven'],
    [
      'a proof of one rule and a violation of the other',
      [verdict('effect-matches-code', 'proven'), verdict('idempotent-write-converges', 'violated')],
      'violated',
    ],
    [
      'a proof of one rule and no end of the other',
      [verdict('effect-matches-code', 'proven'), verdict('idempotent-write-converges', 'inconclusive')],
      'inconclusive',
    ],
    ['a violation of another tool', [verdict('effect-matches-code', 'violated', 'other')], 'not applicable'],
  ])('takes the worst answer of %s', (_what, verdicts, answer) => {
    expect(judged({}, [TOOL], verdicts)?.answer).toBe(answer);
  });
});
