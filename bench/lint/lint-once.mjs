/**
 * Lints a folder once, in this process, and prints what it cost as JSON. `--with-preset` adds the typed preset
 * of this repository's plugin to three typed rules of typescript-eslint.
 */
import path from 'node:path';
import { ESLint } from 'eslint';
import tseslint from 'typescript-eslint';

const folder = path.resolve(process.argv[2] ?? '.');
/** @type {import('eslint').Linter.Config[]} */
const config = [
  {
    files: ['**/*.ts'],
    languageOptions: {
      parser: tseslint.parser,
      parserOptions: { projectService: true, tsconfigRootDir: folder },
    },
    plugins: { '@typescript-eslint': tseslint.plugin },
    rules: {
      '@typescript-eslint/await-thenable': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
    },
  },
];
if (process.argv.includes('--with-preset')) {
  // Loaded only here: what the plugin costs to load is part of what it costs.
  const { default: toolwright } = await import('@toolwright/eslint-plugin');
  config.push(toolwright.configs.recommendedTypeChecked);
}

const eslint = new ESLint({ cwd: folder, overrideConfigFile: true, overrideConfig: config });
const results = await eslint.lintFiles(['src']);
const used = process.resourceUsage();
const messages = results.flatMap((result) => result.messages);
console.log(
  JSON.stringify({
    cpuSeconds: (used.userCPUTime + used.systemCPUTime) / 1e6,
    files: results.length,
    findings: messages.length,
    first: messages[0]?.message ?? null,
  }),
);
