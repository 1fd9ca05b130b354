import { readFileSync } from 'node:fs';
import type { RuleId, Verdict } from '../model/verdict.js';
import { checkFixture, verdictsOf } from './check-fixture.js';

/**
 * A case of a file of bodies: a heading, the verdict as the only item of a list, and the body of
 * `execute` as a code block. A code block before it that says `module` stands at the top of its file. In the body of a writer, `input`
 * has a `uid`, a `flag` and a number `n`, `wrote` is a result with a target, and `text` is one without.
 */
export interface BodyCase {
  readonly title: string;
  readonly verdict: Verdict;
  readonly module: string;
  readonly body: string;
}

/** What all cases are compiled with: everything of the language, and nothing of Node's. */
export const CASE_OPTIONS = {
  target: 'ESNext',
  lib: ['ESNext', 'ESNext.Disposable', 'DOM'],
  module: 'NodeNext',
  strict: true,
  types: [],
} as const;

const TSCONFIG = JSON.stringify({ compilerOptions: CASE_OPTIONS, include: ['src'] });

export function readBodyCases(file: URL): readonly BodyCase[] {
  const cases = readFileSync(file, 'utf8')
    .split(/^## /mu)
    .slice(1)
    .map((section): BodyCase => {
      const title = section.slice(0, section.indexOf('\n')).trim();
      const verdict = /^- (proven|violated|inconclusive)$/mu.exec(section)?.[1] as Verdict | undefined;
      const blocks = [...section.matchAll(/^```ts( module)?\n(.*?)^```$/gmsu)];
      const body = blocks.find(([, module]) => module === undefined)?.[2];
      if (verdict === undefined || body === undefined) {
        throw new Error(`${title}: expected a verdict and a code block.`);
      }
      return { title, verdict, module: blocks.find(([, module]) => module !== undefined)?.[2] ?? '', body };
    });
  if (cases.length === 0) {
    throw new Error(`${file.pathname}: expected cases under headings, found none.`);
  }
  return cases;
}

/** What `writer-returns-target` says of each case, all of them in one project. */
export function verdictsOfBodies(cases: readonly BodyCase[]): readonly (Verdict | undefined)[] {
  return verdictsBy('writer-returns-target', cases, sourceOf);
}

/**
 * What `effect-matches-code` says of each case as the body of a reader, all of them in one project. In the
 * body, `input` has a text `name` and a number `id`.
 */
export function verdictsOfReaders(cases: readonly BodyCase[]): readonly (Verdict | undefined)[] {
  return verdictsBy('effect-matches-code', cases, readerOf);
}

function verdictsBy(
  rule: RuleId,
  cases: readonly BodyCase[],
  fileOf: (one: BodyCase, index: number) => string,
): readonly (Verdict | undefined)[] {
  const files = cases.map((one, index) => [`src/case-${String(index)}.ts`, fileOf(one, index)] as const);
  const report = checkFixture({ 'tsconfig.json': TSCONFIG, ...Object.fromEntries(files) }, { rules: [rule] });
  return cases.map((_, index) => verdictsOf(report, rule, `case_${String(index)}`)[0]?.verdict);
}

function readerOf({ module, body }: BodyCase, index: number): string {
  return `import { defineTool, ToolResult } from '@toolwright/sdk';
import * as z from 'zod';
${module}
export const tool = defineTool({
  name: 'case_${String(index)}',
  description: '',
  input: z.object({ name: z.string(), id: z.number() }),
  async execute(input, context) {
    ${body}
    return ToolResult.text('done');
  },
});
`;
}

function sourceOf({ module, body }: BodyCase, index: number): string {
  return `import { defineTool, ToolEffect, ToolResult, WriteTarget, type WroteResult } from '@toolwright/sdk';
import * as z from 'zod';
${module}
export const tool = defineTool({
  name: 'case_${String(index)}',
  description: '',
  input: z.object({ uid: z.number(), flag: z.boolean(), n: z.number() }),
  effect: ToolEffect.IDEMPOTENT_WRITE,
  async execute(input, context): Promise<any> {
    const wrote: any = ToolResult.wrote(WriteTarget.of('pages', input.uid), 'Saved.');
    const text: any = ToolResult.text('x');
    ${body}
  },
});
`;
}
