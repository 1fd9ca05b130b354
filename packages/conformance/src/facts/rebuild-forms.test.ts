import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { outcomesOfForms, readRebuildForms, type ResultModule } from '../testing/rebuild-forms.js';

const FORMS = readRebuildForms(new URL('./fixtures/rebuild-forms.md', import.meta.url));

// As the SDK of version 1 has it: computed from a schema, so that its name is lost in the type.
const INSTALLED: ResultModule = {
  specifier: '@modelcontextprotocol/sdk/types.js',
  files: {
    'node_modules/@modelcontextprotocol/sdk/package.json':
      '{ "name": "@modelcontextprotocol/sdk", "type": "module", "exports": { "./types.js": { "types": "./types.d.ts" } } }',
    'node_modules/@modelcontextprotocol/sdk/types.d.ts': `type Output<T> = T extends { out: infer O } ? { [K in keyof O]: O[K] } : never;
type Part = { type: 'text'; text: string } | { type: 'image'; data: string; mimeType: string };
declare const schema: {
  out: {
    [x: string]: unknown;
    content: Part[];
    structuredContent?: { [x: string]: unknown };
    isError?: boolean;
    _meta?: { [x: string]: unknown };
  };
};
export type CallToolResult = Output<typeof schema>;
`,
  },
};

// Version 2 itself, as it is published, by way of a package in the fixture that hands it on.
const PUBLISHED: ResultModule = {
  specifier: '@modelcontextprotocol/server',
  files: {
    'node_modules/@modelcontextprotocol/server/package.json':
      '{ "name": "@modelcontextprotocol/server", "type": "module", "exports": { ".": { "types": "./index.d.mts" } } }',
    'node_modules/@modelcontextprotocol/server/index.d.mts': `export * from ${JSON.stringify(
      fileURLToPath(import.meta.resolve('@modelcontextprotocol/server')),
    )};\n`,
  },
};

const OWN: ResultModule = {
  specifier: './answer.js',
  files: {
    'src/answer.ts': `export type Part = { type: 'text'; text: string } | { type: 'image'; data: string };
/** @preserved */
export interface CallToolResult {
  content: Part[];
  structuredContent?: Record<string, unknown>;
  isError?: boolean;
  _meta?: Record<string, unknown>;
}
`,
  },
};

/** Forms that say nothing of a type of one's own: part of its fields, of which no type is written, may be anything. */
const ONLY_OF_MCP = new Set(['inferred return', 'then inferred']);

describe('rebuilds', () => {
  const missing: ResultModule = { specifier: INSTALLED.specifier, files: {} };
  const second: ResultModule = { specifier: '@modelcontextprotocol/server', files: {} };
  it.each([
    ["MCP's SDK is installed", INSTALLED, FORMS],
    ["version 2 of MCP's SDK is installed", PUBLISHED, FORMS],
    ["MCP's SDK is not installed", missing, FORMS],
    ["version 2 of MCP's SDK is not installed", second, FORMS],
    ['a type of the project is marked', OWN, FORMS.filter(({ title }) => !ONLY_OF_MCP.has(title))],
  ])('are found in the forms people write when %s', (_title, module, forms) => {
    const outcomes = outcomesOfForms(forms, module);
    const found = forms.map(({ title }, index) => `${title}: ${outcomes[index] ?? ''}`);
    expect(found).toEqual(forms.map(({ title, expected }) => `${title}: ${expected}`));
  });
});
