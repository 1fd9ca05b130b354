import { readFileSync } from 'node:fs';
import * as parser from '@typescript-eslint/parser';
import { ESLint, Linter } from 'eslint';
import { defineConfig } from 'eslint/config';
import { describe, expect, it } from 'vitest';
import toolwright, { configs } from './index.js';

const WRITES_BY_SETTING = `import { defineTool } from '@toolwright/sdk';
export const tool = defineTool({ name: 'a', effect: process.env.EFFECT, execute });`;

function lint(code: string, config: Linter.Config[], filename = 'src/tool.ts'): Linter.LintMessage[] {
  return new Linter({ configType: 'flat' }).verify(
    code,
    [{ files: ['**/*.ts'], languageOptions: { parser } }, ...config],
    { filename },
  );
}

describe('the plugin', () => {
  it('says its name, version and namespace when a tool asks for them', () => {
    const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
    expect(toolwright.meta).toEqual({
      name: '@toolwright/eslint-plugin',
      version: manifest.version,
      namespace: '@toolwright',
    });
  });

  it('has these presets, and these rules in each, when it is configured', () => {
    const rules = {
      '@toolwright/keep-result-fields': 'error',
      '@toolwright/no-configurable-effect': 'error',
      '@toolwright/no-raw-content-handler': 'error',
      '@toolwright/no-retry-advice': 'warn',
      '@toolwright/no-target-from-reader': 'error',
      '@toolwright/no-write-in-preview': 'error',
      '@toolwright/require-write-target': 'error',
    };
    expect(Object.keys(configs)).toEqual(['recommended', 'recommendedTypeChecked', 'disableTypeChecked']);
    expect(configs.recommended.rules).toEqual(rules);
    expect(configs.recommendedTypeChecked.rules).toEqual(rules);
    expect(configs.disableTypeChecked.rules).toBeUndefined();
    expect(Object.values(configs).map(({ name }) => name)).toEqual([
      '@toolwright/recommended',
      '@toolwright/recommended-type-checked',
      '@toolwright/disable-type-checked',
    ]);
  });

  it('is the plugin of its own presets when both stand in one configuration', () => {
    expect(configs.recommended.plugins?.['@toolwright']).toBe(toolwright);
    expect(configs.recommendedTypeChecked.plugins?.['@toolwright']).toBe(toolwright);
  });

  it('can be extended by name when it is registered', async () => {
    const eslint = new ESLint({
      overrideConfigFile: true,
      overrideConfig: defineConfig({
        files: ['**/*.ts'],
        plugins: { '@toolwright': toolwright },
        extends: ['@toolwright/recommended'],
        languageOptions: { parser },
      }),
    });
    const [result] = await eslint.lintText(WRITES_BY_SETTING, { filePath: 'src/tool.ts' });
    expect(result?.messages.map(({ ruleId }) => ruleId)).toEqual(['@toolwright/no-configurable-effect']);
  });

  it('leads to the page of a rule when a finding is looked up', () => {
    for (const [id, rule] of Object.entries(toolwright.rules ?? {})) {
      const page = readFileSync(new URL(rule.meta?.docs?.url ?? ''), 'utf8');
      expect(page).toMatch(new RegExp(`^# ${id}\n`, 'u'));
    }
  });
});

describe('settings.toolwright.types', () => {
  it('finds without types when it is not set', () => {
    expect(lint(WRITES_BY_SETTING, [configs.recommended])).toHaveLength(1);
  });

  it('stops with what to do when types are required and there are none', () => {
    const code = `import { defineTool, ToolResult } from '@toolwright/sdk';
export const tool = defineTool({ effect: 'idempotent_write', execute: () => ToolResult.text('x') });`;
    expect(() => lint(code, [configs.recommendedTypeChecked])).toThrow(
      /Cannot lint .*tool\.ts with types: .*projectService/u,
    );
  });

  it('asks for no types when the file is taken out', () => {
    const messages = lint(WRITES_BY_SETTING, [configs.recommendedTypeChecked, configs.disableTypeChecked]);
    expect(messages).toHaveLength(1);
  });

  it('stops with the values that it knows when it has another one', () => {
    const setting = { settings: { toolwright: { types: 'always' } } };
    expect(() => lint(WRITES_BY_SETTING, [configs.recommended, setting])).toThrow(
      /expected "auto", "required" or "off", found "always"/u,
    );
  });
});

describe('other files', () => {
  it('are linted without types or TypeScript when they are JavaScript', () => {
    const messages = lint(WRITES_BY_SETTING, [configs.recommended], 'src/tool.js');
    expect(messages.map(({ ruleId }) => ruleId)).toEqual(['@toolwright/no-configurable-effect']);
  });

  it('are linted as scripts when they use require', () => {
    const code = `const { defineTool, ToolResult } = require('@toolwright/sdk');
module.exports = defineTool({ effect: 'idempotent_write', execute: () => ToolResult.text('x') });`;
    const script: Linter.Config = { languageOptions: { sourceType: 'commonjs' } };
    const messages = lint(code, [configs.recommended, script], 'src/tool.js');
    expect(messages.map(({ ruleId }) => ruleId)).toEqual(['@toolwright/require-write-target']);
  });
});
