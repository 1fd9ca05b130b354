import { ts } from '../../engine/typescript.mjs';
import { describe, expect, it } from 'vitest';
import { loadProjects } from '../load/load-projects.js';
import { SourceFileCache } from '../load/source-file-cache.js';
import { withFixture } from '../testing/check-fixture.js';
import { Evaluator } from './evaluator.js';
import { EMPTY_SCOPE, type Folded, valueOf } from './static-value.js';

const cache = new SourceFileCache();
const contract = { constantOf: () => undefined, isIdentityCall: () => false };

/** What the evaluator makes of the constant `answer` that a source exports. */
function fold(source: string): Folded {
  return withFixture({ 'src/a.ts': source }, (cwd) => {
    const [project] = loadProjects({ cwd, paths: [], configs: [], testFileGlobs: [], cache }).projects;
    const file = project?.sourceFiles[0];
    for (const statement of file?.statements ?? []) {
      const declaration = ts.isVariableStatement(statement)
        ? statement.declarationList.declarations.find((one) => one.name.getText() === 'answer')
        : undefined;
      if (project !== undefined && declaration?.initializer !== undefined) {
        return new Evaluator(project, contract).fold(valueOf(declaration.initializer, EMPTY_SCOPE));
      }
    }
    throw new Error('The source has no constant called answer.');
  });
}

describe('a constant', () => {
  it.each([
    ['`${1 + 1}-${"a".toUpperCase()}-${[1, 2].join("+")}`', '2-A-1+2'],
    ['!false && "yes"', 'yes'],
    ['null ?? undefined ?? "fallback"', 'fallback'],
    ['"" || "other"', 'other'],
    ['(1 === 1 ? "same" : "not") as string', 'same'],
    ['{ a: { b: ["x", "y"] } }.a.b[1]', 'y'],
    ['Object.assign({ a: 1 }, { a: 2 }).a', 2],
    ['[["k", "v"]].map(([key, value]) => `${key}=${value}`)[0]', 'k=v'],
    ['(() => { const x = "in"; if (x === "out") { return 1; } return x; })()', 'in'],
    ['new (class { y = 2; x = this.y; })().x', 2],
    ['((a, b = a) => b)("d")', 'd'],
    ['((...rest) => rest[1])("a", "b")', 'b'],
    ['await Promise.resolve("later")', 'later'],
    ['Object.keys({ a: 1, ...{ b: 2 } }).join()', 'a,b'],
  ])('is worked out when the code is %s', (code, value) => {
    expect(fold(`export const answer = ${code};`)).toEqual({ kind: 'constant', value });
  });
});

const CONDITIONS = Array.from({ length: 40 }, (_, n) => `if (process.env.A${String(n)}) { log(); }`);

describe('what a function answers', () => {
  it('is worked out when it stands behind more conditions than their ways could be counted', () => {
    const source = `declare const log: () => void; const f = () => { ${CONDITIONS.join(' ')} return 'end'; };`;
    expect(fold(`${source} export const answer = f();`)).toEqual({ kind: 'constant', value: 'end' });
  });
});

describe('an unknown', () => {
  it.each([
    ['a value of the environment', 'process.env.A', 'not_constant'],
    ['a condition on one', 'process.env.A ? 1 : 2', 'not_constant'],
    ['the answer of a library', 'Math.random()', 'not_constant'],
    ['a name that nothing declares', 'nowhere', 'undecided'],
  ])('says why when it is %s', (_what, code, verdict) => {
    expect(fold(`export const answer = ${code};`)).toMatchObject({ kind: 'unknown', verdict });
  });

  it.each([
    ['a constant is itself', 'const a: string = b; const b: string = a; export const answer = a;'],
    ['a function calls itself', 'const f = (n: string): string => f(n + "x"); export const answer = f("");'],
    ['a class extends itself', 'class A extends A { x = super.x; } export const answer = new A().x;'],
    ['a getter reads itself', 'const o = { get x() { return this.x; } }; export const answer = o.x;'],
    ['an object is spread into itself', 'const o: object = { ...o }; export const answer = o.x;'],
    [
      'functions call each other over and over',
      `const f0 = () => 1; ${Array.from({ length: 40 }, (_, n) => `const f${String(n + 1)} = () => f${String(n)}() + f${String(n)}();`).join(' ')} export const answer = f40();`,
    ],
  ])('ends when %s', (_what, source) => {
    expect(fold(source)).toMatchObject({ kind: 'unknown', verdict: 'undecided' });
  });
});
