import { describe, expect, it } from 'vitest';
import { checkFixture } from './testing/check-fixture.js';
import { SOUND_TOOL } from './testing/run-command.js';

const sum = Array.from({ length: 8_000 }, (_, index) => `'${String(index)}'`).join(' + ');

describe('the check', () => {
  it('ends with verdicts when generated code beside a tool nests thousands deep', () => {
    const report = checkFixture({
      'src/generated.ts': `export const text = ${sum};`,
      'src/tools.ts': SOUND_TOOL,
    });
    expect(report.tools).toHaveLength(1);
    expect(report.diagnostics).toEqual([]);
  });
});
