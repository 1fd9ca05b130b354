/**
 * What a check costs, against what the compiler costs on the same project: CPU seconds and peak memory of
 * `toolwright-conformance` and of `tsc --noEmit`, each in a process of its own. Runs are paired, so that a busy
 * machine is busy for both, and the cheapest of each side counts: what else runs can only add.
 *
 * Without arguments: a generated plugin of 100 and of 1,000 tools, and this repository's own packages. With
 * folders: those projects. The package of strangers that the figures in decision 0026 are of is MCP's core-internal:
 * clone github.com/modelcontextprotocol/typescript-sdk, install there, and give `packages/core-internal`. The bars are 0.5 of the compiler's CPU, 450 MB, and at most 10.5 times the work behind
 * the load for ten times the tools. A miss is printed, and ends with exit code 1.
 *
 * `pnpm bench:check [folder...]`. Needs a build.
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { generatePlugin } from '../lint/generated-plugin.js';
import { costOf, type Cost } from './process-cost.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const CONFORMANCE = path.join(ROOT, 'packages/conformance/bin/toolwright-conformance.js');
const COMPILER = path.join(ROOT, 'node_modules/typescript/bin/tsc');
const PAIRS = 3;
const MAX_CPU_RATIO = 0.5;
const MAX_MEGABYTES = 450;
const MAX_GROWTH = 10.5;
const OWN = ['packages/sdk', 'packages/runtime', 'packages/conformance', 'examples/pages-plugin'];

// Not below node_modules: what lies there is nobody's own code, and is not checked.
const generatedPlugins = mkdtempSync(path.join(tmpdir(), 'toolwright-bench-'));
process.on('exit', () => {
  rmSync(generatedPlugins, { recursive: true, force: true });
});

const given = process.argv.slice(2);
if (given.length === 0) {
  const few = await compare('generated plugin, 100 tools', await generated(100));
  const many = await compare('generated plugin, 1,000 tools', await generated(1000));
  const empty = await cheapest(check(await generated(0)), said('Summary: '));
  const growth = (many.cpuSeconds - empty.cpuSeconds) / (few.cpuSeconds - empty.cpuSeconds);
  print(growth > MAX_GROWTH, `growth behind the load ${growth.toFixed(1)} fold (bar ${String(MAX_GROWTH)})`);
}
for (const folder of given.length > 0 ? given : OWN.map((name) => path.join(ROOT, name))) {
  const project = path.join(path.resolve(folder), 'tsconfig.json');
  if (!existsSync(project)) {
    throw new Error(`${folder} has no tsconfig.json. Name the folder of a TypeScript project.`);
  }
  await compare(path.relative(ROOT, path.resolve(folder)), project);
}

async function generated(tools: number): Promise<string> {
  const folder = path.join(generatedPlugins, String(tools));
  await generatePlugin(folder, tools, ROOT);
  return path.join(folder, 'tsconfig.json');
}

async function compare(name: string, project: string): Promise<Cost> {
  const compiler = await cheapest(
    [COMPILER, '--noEmit', '--incremental', 'false', '--composite', 'false', '-p', project],
    () => true,
  );
  const checked = await cheapest(check(project), said('Summary: ', 'No tool'));
  const ratio = checked.cpuSeconds / compiler.cpuSeconds;
  console.log(name);
  console.log(`  tsc --noEmit            ${described(compiler)}`);
  console.log(`  toolwright-conformance  ${described(checked)}`);
  print(
    ratio > MAX_CPU_RATIO || checked.megabytes > MAX_MEGABYTES,
    `ratio ${ratio.toFixed(2)} (bar ${String(MAX_CPU_RATIO)}), ${checked.megabytes.toFixed(0)} MB (bar ${String(MAX_MEGABYTES)})`,
  );
  return checked;
}

function check(project: string): readonly string[] {
  return [CONFORMANCE, '-p', project];
}

function said(...texts: readonly string[]): (output: string) => boolean {
  return (output) => texts.some((text) => output.includes(text));
}

async function cheapest(command: readonly string[], isDone: (output: string) => boolean): Promise<Cost> {
  const costs: Cost[] = [];
  for (let run = 0; run < PAIRS; run += 1) {
    costs.push(await costOf(command, isDone));
  }
  return {
    cpuSeconds: Math.min(...costs.map(({ cpuSeconds }) => cpuSeconds)),
    megabytes: Math.min(...costs.map(({ megabytes }) => megabytes)),
  };
}

function described({ cpuSeconds, megabytes }: Cost): string {
  return `${cpuSeconds.toFixed(2).padStart(6)} s CPU  ${megabytes.toFixed(0).padStart(4)} MB`;
}

function print(isMissed: boolean, text: string): void {
  console.log(`  ${isMissed ? 'MISSED  ' : ''}${text}`);
  if (isMissed) {
    process.exitCode = 1;
  }
}
