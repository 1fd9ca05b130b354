import type { CaseSet, RuleCases } from '../../rule-testing/rule-cases.js';

const IMPORTS = `import { defineTool, ToolEffect, type Tool, type WriterTool } from '@toolwright/sdk';
`;

/** A case whose tool declares this effect on the line after what precedes it. */
function declared(effect: string, before = ''): string {
  return `${IMPORTS}${before}export const tool = defineTool({ name: 'a', effect: ${effect}, execute });`;
}

const CONSTANT: readonly (readonly [name: string, effect: string, before?: string])[] = [
  ['a literal', `'read_only'`],
  ['a member of ToolEffect', 'ToolEffect.IDEMPOTENT_WRITE'],
  ['a cast literal', `'idempotent_write' as const`],
  ['a template without placeholders', '`read_only`'],
  ['a constant', 'WRITES', `const WRITES = ToolEffect.IDEMPOTENT_WRITE;\n`],
  [
    'a member of a constant record',
    `EFFECTS.page`,
    `const EFFECTS = { page: 'idempotent_write' } as const;\n`,
  ],
  ['a destructured constant', `page`, `const { page } = Object.freeze({ page: 'idempotent_write' });\n`],
  ['a member of an enum', `Effects.Page`, `enum Effects { Page = 'idempotent_write' }\n`],
  ['a ternary that the code decides', `STRICT ? 'idempotent_write' : 'read_only'`, 'const STRICT = true;\n'],
  ['a ternary of two equal sides', `flag() ? 'read_only' : ToolEffect.READ_ONLY`],
  [
    'a function that returns a literal',
    'effectOfPages()',
    `function effectOfPages() { return 'read_only'; }\n`,
  ],
  ['a value of another module', 'EFFECT', `import { EFFECT } from './effects.js';\n`],
  ['a setting of another module', 'config.effect', `import { config } from './config.js';\n`],
  ['a fallback of another module', `EFFECT ?? 'read_only'`, `import { EFFECT } from './effects.js';\n`],
  ['undefined', 'undefined'],
];

const CONFIGURABLE: readonly (readonly [name: string, effect: string, from: string, before?: string])[] = [
  ['the environment', 'process.env.TOOL_EFFECT as ToolEffect', 'process.env'],
  ['the environment through a name', 'EFFECT', 'process.env', `const { EFFECT } = process.env;\n`],
  [
    'the environment of the process module',
    'env.EFFECT',
    'process.env',
    `import { env } from 'node:process';\n`,
  ],
  ['the environment of the bundler', 'import.meta.env.EFFECT', 'import.meta.env'],
  ['a fallback of the environment', `process.env['EFFECT'] ?? 'read_only'`, 'process.env'],
  ['a ternary on the environment', `process.env.DRY ? 'read_only' : 'idempotent_write'`, 'process.env'],
  [
    'a ternary on a flag',
    `DRY ? 'read_only' : 'idempotent_write'`,
    'process.argv',
    `const DRY = process.argv.includes('--dry');\n`,
  ],
  ['a parsed environment', 'schema.parse(process.env.EFFECT)', 'process.env'],
  ['parsed JSON', `JSON.parse(text).effect`, 'JSON.parse()'],
  [
    'a JSON file',
    'config.effect',
    'the JSON file ./config.json',
    `import config from './config.json' with { type: 'json' };\n`,
  ],
  [
    'a file',
    'effect',
    'a file (readFileSync)',
    `import fs from 'node:fs';\nconst effect = fs.readFileSync('effect', 'utf8').trim();\n`,
  ],
  ['chance', `Math.random() > 0.5 ? 'read_only' : 'idempotent_write'`, 'Math.random()'],
  [
    'a variable that is assigned again',
    'effect',
    'the variable "effect", which is assigned more than once',
    `let effect = 'read_only';\nif (mode()) effect = 'idempotent_write';\n`,
  ],
  [
    'a record whose member is assigned again',
    'effects.page',
    '"effects.page", which is assigned again',
    `const effects = { page: 'read_only' };\neffects.page = mode();\n`,
  ],
  [
    'a function that reads the environment',
    'pick()',
    'process.env',
    `const pick = () => process.env.EFFECT;\n`,
  ],
];

const syntactic: CaseSet = {
  valid: [
    {
      name: 'another member of the same object is read from the environment',
      code: `import { defineTool } from '@toolwright/sdk';
const effects = { page: 'idempotent_write', other: process.env.OTHER } as const;
const pick = (name) => ({ x: 'idempotent_write', y: process.env.OTHER })[name];
export const a = defineTool({ name: 'a', effect: effects.page, execute });
export const b = defineTool({ name: 'b', effect: pick('x'), execute });`,
    },
    ...CONSTANT.map(([name, effect, before]) => ({
      name: `the effect is ${name}`,
      code: declared(effect, before),
    })),
    {
      name: 'no effect is declared',
      code: `${IMPORTS}export const tool = defineTool({ name: 'a', execute });`,
    },
    {
      name: 'the effect is a parameter that the file does not decide',
      code: `${IMPORTS}export const make = (effect: ToolEffect) => defineTool({ effect, execute });`,
    },
    {
      name: 'the effect is a parameter of which the file has literals',
      code: `${IMPORTS}const make = (effect: ToolEffect) => defineTool({ effect, execute });
export const a = make('read_only');
export const b = make(ToolEffect.IDEMPOTENT_WRITE);`,
    },
    {
      name: 'a class has a literal, a getter that returns one, or a parameter',
      code: `${IMPORTS}class A implements Tool { readonly effect = 'read_only'; }
class B implements Tool { get effect() { return ToolEffect.IDEMPOTENT_WRITE; } }
class C implements Tool { readonly effect: ToolEffect; constructor(effect: ToolEffect) { this.effect = effect; } }`,
    },
    {
      name: 'another package has a defineTool of its own',
      code: `import { defineTool } from 'another-sdk';
export const tool = defineTool({ effect: process.env.EFFECT });`,
    },
    {
      name: 'the environment decides something else',
      code: declared(`'read_only', description: process.env.TEXT`),
    },
  ],
  invalid: [
    ...CONFIGURABLE.map(([name, effect, from, before = '']) => ({
      name: `the effect comes from ${name}`,
      code: declared(effect, before),
      findings: [{ messageId: 'configurable', line: 2 + before.split('\n').length - 1, data: { from } }],
    })),
    {
      name: 'a call of the file gives a factory the environment',
      code: `${IMPORTS}function make({ effect }: { effect: ToolEffect }) {
  return defineTool({ effect, execute });
}
export const tool = make({ effect: process.env.EFFECT });`,
      findings: [{ messageId: 'configurable', line: 3 }],
    },
    {
      name: 'a class reads the environment in a field, a getter or its constructor',
      code: `${IMPORTS}class A implements Tool { readonly effect = process.env.EFFECT; }
class B implements Tool { get effect() { return process.env.DRY ? 'read_only' : 'idempotent_write'; } }
class C implements WriterTool { effect; constructor() { this.effect = process.env.EFFECT; } }`,
      findings: [2, 3, 4].map((line) => ({ messageId: 'configurable', line })),
    },
    {
      name: 'an object is typed as a tool, under a namespace',
      code: `import * as sdk from '@toolwright/sdk';
export const a: sdk.Tool = { name: 'a', effect: process.env.EFFECT, execute };
export const b = { name: 'b', effect: process.env.EFFECT, execute } satisfies sdk.WriterTool;
const definition = { name: 'c', effect: process.env.EFFECT, execute };
export const c = sdk.defineTool(definition);`,
      findings: [2, 3, 4].map((line) => ({ messageId: 'configurable', line })),
    },
  ],
};

export const cases: RuleCases = {
  rule: 'no-configurable-effect',
  syntactic,
  typed: { valid: [], invalid: [] },
};
