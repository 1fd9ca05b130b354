import { fileURLToPath } from 'node:url';
import * as parser from '@typescript-eslint/parser';
import { ESLint, type Linter } from 'eslint';
import { describe, expect, it } from 'vitest';
import toolwright from './index.js';

const PROJECT = fileURLToPath(new URL('./fixtures/typed/', import.meta.url));

// What an editor's extension does: it keeps one instance, and lints the text of the buffer as it is typed.
const editor = new ESLint({
  cwd: PROJECT,
  overrideConfigFile: true,
  overrideConfig: [
    {
      files: ['**/*.ts'],
      languageOptions: { parser, parserOptions: { projectService: true, tsconfigRootDir: PROJECT } },
    },
    toolwright.configs.recommendedTypeChecked,
  ],
});

async function lintBuffer(text: string): Promise<Linter.LintMessage[]> {
  const [result] = await editor.lintText(text, { filePath: 'file.ts' });
  return result?.messages ?? [];
}

/** The text after a suggestion was chosen from the light bulb of a finding. */
function applySuggestion(text: string, message: Linter.LintMessage | undefined): string {
  const fix = message?.suggestions?.[0]?.fix;
  return fix === undefined ? text : text.slice(0, fix.range[0]) + fix.text + text.slice(fix.range[1]);
}

const REBUILD = `import { ToolResult } from '@toolwright/sdk';
import { anything } from './answers.js';

export function bounded(content: string): ToolResult {
  const result = anything(content);
  if (result.kind !== 'wrote') return result;
  return ToolResult.text(result.content.slice(0, 100), { artifacts: result.artifacts });
}
`;

describe('in an editor', () => {
  it('a finding shows where and what to do when the buffer is linted', async () => {
    const [message, ...others] = await lintBuffer(REBUILD);
    expect(others).toEqual([]);
    expect(message).toMatchObject({
      ruleId: '@toolwright/keep-result-fields',
      line: 7,
      column: 10,
      severity: 2,
    });
    expect(message?.message).toContain('leaves its target behind');
    expect(message?.suggestions?.map(({ desc }) => desc)).toEqual(['Rebuild "result" with withContent().']);
  });

  it('a suggestion ends the finding, and keeps what else stood there, when it is applied', async () => {
    const [message] = await lintBuffer(REBUILD);
    const applied = applySuggestion(REBUILD, message);
    expect(applied).toBe(
      REBUILD.replace(
        'ToolResult.text(result.content.slice(0, 100), { artifacts: result.artifacts })',
        'result.withContent(result.content.slice(0, 100))',
      ),
    );
    expect(await lintBuffer(applied)).toEqual([]);
  });

  it('nothing changes by itself when all fixes are applied', async () => {
    const fixing = new ESLint({
      cwd: PROJECT,
      fix: true,
      overrideConfigFile: true,
      overrideConfig: [{ files: ['**/*.ts'], languageOptions: { parser } }, toolwright.configs.recommended],
    });
    const code = REBUILD.replace('anything(content)', 'anything(content) as ToolResult');
    const [result] = await fixing.lintText(code, { filePath: 'other.ts' });
    expect(result?.output).toBeUndefined();
  });

  it('a file that is being typed gives a syntax error, not a crash, when it does not parse', async () => {
    const messages = await lintBuffer(REBUILD.slice(0, REBUILD.indexOf('slice(0')));
    expect(messages).toHaveLength(1);
    expect(messages[0]).toMatchObject({ fatal: true, ruleId: null });
  });

  it('a raw handler is found through modules when its name is typed in', async () => {
    const before = `import { Innocent } from './barrel.js';\nexport type Handler = typeof Innocent;\n`;
    expect(await lintBuffer(before)).toEqual([]);
    const messages = await lintBuffer(`${before}export const raw = new Innocent();\n`);
    expect(messages.map(({ ruleId, line }) => [ruleId, line])).toEqual([
      ['@toolwright/no-raw-content-handler', 3],
    ]);
  });
});
