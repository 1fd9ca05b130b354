import { describe, expect, it } from 'vitest';
import { checkProjects, type ProjectFiles } from './checked-projects.js';
import { contradictionsIn } from './contradictions.js';

const SOUND = `import { defineTool, ToolResult, WriteTarget } from '@toolwright/sdk';
export const save = defineTool({
  name: 'save',
  effect: 'idempotent_write',
  execute: (input) => ToolResult.wrote(WriteTarget.of('pages', input.id), 'Saved.'),
});
`;

async function checkWith(
  finding: object,
  files: ProjectFiles = { 'src/tools.ts': SOUND },
): Promise<string[]> {
  const [project] = await checkProjects([files]);
  if (project === undefined) {
    throw new Error('The project was not checked.');
  }
  const made = {
    endLine: 5,
    file: 'src/tools.ts',
    line: 5,
    message: 'Made up.',
    rule: 'require-write-target',
  };
  return contradictionsIn({ ...project, withTypes: [{ ...made, ...finding }] });
}

describe('a contradiction', () => {
  it('is found when a lint rule finds a fault in a tool that is proven', async () => {
    expect(await checkWith({})).toEqual([
      'src/tools.ts:5 require-write-target: Made up.\n  the command: save is proven',
    ]);
  });

  it('is found when a lint rule finds a fault in a tool that its counterpart does not judge', async () => {
    expect(await checkWith({ rule: 'no-target-from-reader' })).toEqual([
      expect.stringContaining('save is not_applicable'),
    ]);
  });

  it('is found when a rebuild is proven', async () => {
    const files = {
      'src/loop.ts': `import type { ToolResult } from '@toolwright/sdk';
export const bounded = (result: ToolResult) => result.withContent('x');
`,
    };
    const finding = { rule: 'keep-result-fields', file: 'src/loop.ts', line: 2, endLine: 2 };
    expect(await checkWith(finding, files)).toEqual([expect.stringContaining('this place is proven')]);
  });

  it('is found when the command has nothing to check', async () => {
    const files = { 'src/tools.ts': 'export const one = 1;\n' };
    expect(await checkWith({}, files)).toEqual([expect.stringContaining('nothing to check')]);
  });

  it('is found when a raw handler of the project is reported at another place', async () => {
    const files = {
      'src/raw.ts': `import type { RawContentHandler } from '@toolwright/sdk';
export class RawPages implements RawContentHandler {}
export const raw = new RawPages();
`,
    };
    const finding = { rule: 'no-raw-content-handler', file: 'src/raw.ts', line: 2, endLine: 2 };
    expect(await checkWith(finding, files)).toEqual([expect.stringContaining('the project is violated')]);
  });

  it('is none when the command finds the same tool at fault', async () => {
    const files = { 'src/tools.ts': SOUND.replace("wrote(WriteTarget.of('pages', input.id), ", 'text(') };
    expect(await checkWith({ line: 3, endLine: 3 }, files)).toEqual([]);
  });
});
