/**
 * What the typed preset adds to a typed lint: CPU seconds of three typescript-eslint rules alone and with the
 * preset, each in a process of its own, on a generated plugin of 1,000 tools. Runs are paired, so that a machine
 * that is busy is busy for both. What else runs can only add to what a process uses, so the ratio is that of the
 * cheapest run of each side; the median of the pairs is printed beside it. The bar is 1.10; a miss ends with
 * exit code 1.
 *
 * `pnpm tsx bench/lint/lint-cost.ts [tools] [pairs]`. Needs a build.
 */
import { execFile } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import * as z from 'zod';
import { generatePlugin } from './generated-plugin.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const MAX_RATIO = 1.1;

const RUN = z.object({
  cpuSeconds: z.number().positive(),
  files: z.number().int(),
  findings: z.number().int(),
  first: z.string().nullable(),
});

const tools = Number(process.argv[2] ?? 1000);
const pairs = Number(process.argv[3] ?? 5);
const plugin = await generatePlugin(path.join(ROOT, 'node_modules/.cache/bench-lint'), tools, ROOT);
console.log(`${plugin.tools} tools in ${plugin.files} files`);

const ratios: number[] = [];
let cheapest = { without: Infinity, withPreset: Infinity };
for (let pair = 0; pair < pairs; pair += 1) {
  // The order changes, so that neither side always meets the warmer machine.
  const sides = pair % 2 === 0 ? ([false, true] as const) : ([true, false] as const);
  const cost = new Map<boolean, number>();
  for (const withPreset of sides) {
    cost.set(withPreset, await lint(withPreset));
  }
  const without = cost.get(false) ?? 0;
  const withPreset = cost.get(true) ?? 0;
  ratios.push(withPreset / without);
  cheapest = {
    without: Math.min(cheapest.without, without),
    withPreset: Math.min(cheapest.withPreset, withPreset),
  };
  console.log(
    `  ${without.toFixed(2)} s CPU alone, ${withPreset.toFixed(2)} s with the preset: ${(withPreset / without).toFixed(3)}`,
  );
}
const ratio = cheapest.withPreset / cheapest.without;
console.log(
  `  ratio ${ratio.toFixed(3)} (bar ${MAX_RATIO.toFixed(2)}), median of the pairs ${median(ratios).toFixed(3)}`,
);
process.exitCode = ratio > MAX_RATIO ? 1 : 0;

async function lint(withPreset: boolean): Promise<number> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    // Plain JavaScript, as ESLint is run anywhere: a loader for TypeScript would make loading any plugin five times as dear.
    [path.join(ROOT, 'bench/lint/lint-once.mjs'), plugin.folder, ...(withPreset ? ['--with-preset'] : [])],
    { cwd: ROOT, maxBuffer: 64 * 1024 * 1024 },
  );
  const run = RUN.parse(JSON.parse(stdout));
  // A run that linted something else, or stopped at the first line, would be cheap.
  if (run.files !== plugin.files || run.findings > 0) {
    throw new Error(
      `Linting the generated plugin: expected ${plugin.files} files without a finding, found ${run.files} files ` +
        `and ${run.findings} findings (${run.first ?? 'none'}). Mend the generator, or the rule.`,
    );
  }
  return run.cpuSeconds;
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1
    ? (sorted[middle] ?? 0)
    : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
}
