import * as parser from '@typescript-eslint/parser';
import { AST_NODE_TYPES, type TSESLint, type TSESTree } from '@typescript-eslint/utils';
import { Linter } from 'eslint';
import { assert, describe, expect, it } from 'vitest';
import { descendants } from './ast-shapes.js';
import type { Origin } from './origin.js';
import { valueOrigins } from './value-origins.js';

/** Where the argument of the call `probe(…)` in the code comes from. */
function originsIn(code: string): readonly Origin[] {
  let found: readonly Origin[] = [];
  const rule = {
    create: ({ sourceCode }: { readonly sourceCode: unknown }) => ({
      'CallExpression[callee.name="probe"]'(node: unknown) {
        const [argument] = (node as TSESTree.CallExpression).arguments;
        assert(argument !== undefined);
        found = valueOrigins(argument, sourceCode as TSESLint.SourceCode);
      },
    }),
  };
  const messages = new Linter({ configType: 'flat' }).verify(code, [
    {
      languageOptions: { parser },
      plugins: { test: { rules: { probe: rule } } },
      rules: { 'test/probe': 'error' },
    },
  ]);
  expect(messages).toEqual([]);
  return found;
}

/** An origin as one line: `pkg > a > b` for a module, `(global) a`, `(declared) a`, or the text's node type. */
function lineOf(origin: Origin): string {
  switch (origin.kind) {
    case 'module':
      return [origin.module, ...origin.path].join(' > ');
    case 'global':
      return `(global) ${origin.path.join('.')}`;
    case 'declared':
      return `(declared) ${[origin.identifier.name, ...origin.path].join('.')}`;
    case 'node':
      return origin.node.type;
  }
}

const CASES: readonly (readonly [name: string, code: string, origins: readonly string[]])[] = [
  ['a named import', `import { a } from 'pkg'; probe(a);`, ['pkg > a']],
  ['a renamed import', `import { a as b } from 'pkg'; probe(b);`, ['pkg > a']],
  ['an import named by a string', `import { 'a-b' as b } from 'pkg'; probe(b);`, ['pkg > a-b']],
  ['a default import', `import a from 'pkg'; probe(a.b);`, ['pkg > default > b']],
  ['a namespace', `import * as a from 'pkg'; probe(a.b['c']);`, ['pkg > b > c']],
  ['a required module', `const { a: { b } } = require('pkg'); probe(b);`, ['pkg > a > b']],
  [
    'a required module of a made require',
    `import { createRequire } from 'node:module'; const load = createRequire(import.meta.url); probe(load('pkg').a);`,
    ['pkg > a'],
  ],
  ['an awaited import', `const { a } = await import('pkg'); probe(a);`, ['pkg > a']],
  ['a continued import', `import('pkg').then(({ a }) => probe(a));`, ['pkg > a']],
  ['an alias of an alias', `import { a } from 'pkg'; const b = a, c = b as any; probe(c!);`, ['pkg > a']],
  ['a constant key', `import * as a from 'pkg'; const key = 'b'; probe(a[key]);`, ['pkg > b']],
  ['a key that is not known', `import * as a from 'pkg'; probe(a[key()]);`, []],
  ['a choice', `import { a, b } from 'pkg'; probe(flag ? a : b ?? a);`, ['pkg > a', 'pkg > b', 'pkg > a']],
  ['a variable that is assigned again', `let a = 1; a = 'x'; probe(a);`, ['Literal', 'Literal']],
  ['an object', `const a = { b: { c: 1 } }; probe(a.b.c);`, ['Literal']],
  ['a spread', `import * as pkg from 'pkg'; const a = { ...pkg, b: 1 }; probe(a.c);`, ['pkg > c']],
  [
    'a member that comes after a spread',
    `import * as pkg from 'pkg'; const a = { ...pkg, b: 1 }; probe(a.b);`,
    ['Literal'],
  ],
  ['an array', `const [, a] = [1, class {}]; probe(a);`, ['ClassExpression']],
  ['a getter', `const a = { get b() { return 1; } }; probe(a.b);`, ['Literal']],
  ['a field of a class', `class A { b = 1; c() { probe(this.b); } }`, ['Literal']],
  ['a static method', `class A { static b() {} } probe(A.b);`, ['FunctionExpression']],
  ['a frozen object', `const a = Object.freeze({ b: 1 }); probe(a.b);`, ['Literal']],
  ['a bound function', `function a() {} probe(a.bind(null));`, ['FunctionDeclaration']],
  ['what a function gives', `const a = () => 1; probe(a());`, ['CallExpression', 'Literal']],
  ['a parameter', `function a({ b: [c] }) { probe(c.d); }`, ['(declared) c.b.0.d']],
  ['a parameter with a default', `function a(b = 1) { probe(b); }`, ['(declared) b', 'Literal']],
  ['a variable without a value', `let a; probe(a);`, ['(declared) a']],
  ['a global', `probe(globalThis.a.b);`, ['(global) globalThis.a.b']],
];

describe('valueOrigins', () => {
  it.each(CASES)('follows %s', (_name, code, origins) => {
    expect(originsIn(code).map(lineOf)).toEqual(origins);
  });

  it('ends when names stand for each other', () => {
    const origins = originsIn(`const a = b; const b = c; const c = a; probe(a);`);
    expect(origins.map(({ kind }) => kind)).toEqual(['declared']);
  });

  it('ends when functions call each other', () => {
    const origins = originsIn(`const a = () => b(); const b = () => a(); probe(a());`);
    expect(new Set(origins.map(lineOf))).toEqual(new Set(['CallExpression']));
  });

  it('ends when each name has two that have two', () => {
    const doubled = Array.from({ length: 60 }, (_, n) => `const a${n} = flag ? a${n + 1} : a${n + 1}.b;`);
    expect(originsIn(`${doubled.join('\n')} probe(a0);`).length).toBeLessThan(1000);
  });
});

describe('descendants', () => {
  it('goes through a sum when it is ten thousand parts long', () => {
    const chain = Array.from({ length: 10_000 }).reduce<TSESTree.Node>(
      (left) =>
        ({
          type: AST_NODE_TYPES.BinaryExpression,
          operator: '+',
          left,
          right: { type: AST_NODE_TYPES.Literal, value: 1 },
        }) as unknown as TSESTree.Node,
      { type: AST_NODE_TYPES.Literal, value: 0 } as unknown as TSESTree.Node,
    );
    expect(descendants(chain)).toHaveLength(20_001);
  });
});
