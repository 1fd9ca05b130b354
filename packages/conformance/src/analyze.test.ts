import { describe, expect, it } from 'vitest';
import { checkFixture } from './testing/check-fixture.js';

describe('analyze', () => {
  it('finds a tool and asks every rule when the project has one', () => {
    const report = checkFixture(`
      import { defineTool, ToolEffect, ToolResult, WriteTarget } from '@toolwright/sdk';
      import * as z from 'zod';
      export const save = defineTool({
        name: 'save_page',
        description: 'Saves.',
        input: z.object({ uid: z.number() }),
        effect: ToolEffect.IDEMPOTENT_WRITE,
        execute({ uid }) {
          return ToolResult.wrote(WriteTarget.of('pages', uid), 'Saved.');
        },
      });
    `);
    expect(report.tools).toMatchObject([
      { name: 'save_page', effect: 'idempotent_write', declared: true, framework: 'toolwright' },
    ]);
    expect(report.verdicts.map(({ rule, verdict }) => `${rule} ${verdict}`)).toEqual(
      expect.arrayContaining(['effect-is-constant proven', 'tool-names-unique proven']),
    );
  });
});
