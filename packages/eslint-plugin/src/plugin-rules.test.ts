import { fileURLToPath } from 'node:url';
import * as parser from '@typescript-eslint/parser';
import { ESLint, Linter } from 'eslint';
import pluginRules from 'eslint-plugin-eslint-plugin';
import { describe, expect, it } from 'vitest';

const SOURCES = fileURLToPath(new URL('.', import.meta.url));

const RULES: Linter.RulesRecord = {
  ...pluginRules.configs.rules.rules,
  // The URL is that of the page that ships with the package; the rule creator adds it.
  'eslint-plugin/require-meta-docs-url': 'off',
  // Says how a preset turns the rule on, not only whether.
  'eslint-plugin/require-meta-docs-recommended': ['error', { allowNonBoolean: true }],
  // ESLint stops at a rule that does not name a file's language. These find nothing in other languages.
  'eslint-plugin/require-meta-languages': 'off',
  // Needs types, which take longer than all of this.
  'eslint-plugin/no-property-in-node': 'off',
};

const CONFIG: Linter.Config = {
  files: ['**/*.ts'],
  languageOptions: { parser },
  plugins: { 'eslint-plugin': pluginRules },
  rules: RULES,
};

describe('the rules of this plugin', () => {
  it('keep the conventions of ESLint plugins when their sources are linted', async () => {
    const eslint = new ESLint({ cwd: SOURCES, overrideConfigFile: true, overrideConfig: CONFIG });
    const results = await eslint.lintFiles(['rules/*/rule.ts']);
    const findings = results.flatMap(({ filePath, messages }) =>
      messages.map(({ line, message }) => `${filePath.slice(SOURCES.length)}:${line} ${message}`),
    );
    expect(findings).toEqual([]);
    expect(results.length).toBeGreaterThan(5);
  });

  it('would be found out when one has a message that nothing reports', () => {
    const broken = `export const rule = createRule({
  name: 'broken',
  meta: { type: 'problem', docs: { description: 'disallow x', recommended: 'error' }, schema: [], messages: { unused: 'x' } },
  create(context) { return { Program(node) { context.report({ node, messageId: 'missing' }); } }; },
});`;
    const messages = new Linter({ configType: 'flat' }).verify(broken, CONFIG, { filename: 'rule.ts' });
    expect(messages.map(({ ruleId }) => ruleId)).toEqual(
      expect.arrayContaining(['eslint-plugin/no-unused-message-ids', 'eslint-plugin/no-missing-message-ids']),
    );
  });
});
