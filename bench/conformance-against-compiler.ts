/**
 * What a check costs, against what the compiler costs on the same project: CPU seconds and peak memory of
 * `toolwright-conformance` and of `tsc --noEmit`, each in a process of its own, the best of three runs.
 * The bar is 0.5 of the compiler's CPU and 450 MB; a miss ends with exit code 1.
 *
 * `pnpm bench [folder...]`, by default this repository's own runtime. Needs a build.
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const CONFORMANCE = path.join(ROOT, 'packages/conformance/bin/toolwright-conformance.js');
const COMPILER = path.join(ROOT, 'node_modules/typescript/bin/tsc');
const RUNS = 3;
const MAX_CPU_RATIO = 0.5;
const MAX_MEGABYTES = 450;

interface Cost {
  readonly cpuSeconds: number;
  readonly megabytes: number;
}

const given = process.argv.slice(2);
const folders = given.length > 0 ? given : ['packages/runtime'];

for (const folder of folders) {
  const project = path.join(path.resolve(folder), 'tsconfig.json');
  if (!existsSync(project)) {
    throw new Error(`${folder} has no tsconfig.json. Name the folder of a TypeScript project.`);
  }
  const compiler = await best([
    COMPILER,
    '--noEmit',
    '--incremental',
    'false',
    '--composite',
    'false',
    '-p',
    project,
  ]);
  const check = await best([CONFORMANCE, '-p', project]);
  const ratio = check.cpuSeconds / compiler.cpuSeconds;
  console.log(
    `${folder}\n` +
      `  tsc --noEmit            ${compiler.cpuSeconds.toFixed(2)} s CPU  ${compiler.megabytes.toFixed(0)} MB\n` +
      `  toolwright-conformance  ${check.cpuSeconds.toFixed(2)} s CPU  ${check.megabytes.toFixed(0)} MB\n` +
      `  ratio                   ${ratio.toFixed(2)} (bar ${MAX_CPU_RATIO}), ${check.megabytes.toFixed(0)} MB (bar ${MAX_MEGABYTES})`,
  );
  if (ratio > MAX_CPU_RATIO || check.megabytes > MAX_MEGABYTES) {
    process.exitCode = 1;
  }
}

async function best(command: readonly [string, ...string[]]): Promise<Cost> {
  const costs: Cost[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    costs.push(await measure(command));
  }
  return {
    cpuSeconds: Math.min(...costs.map(({ cpuSeconds }) => cpuSeconds)),
    megabytes: Math.min(...costs.map(({ megabytes }) => megabytes)),
  };
}

/** The process says at its end what it used; its own answer (findings, type errors) does not matter here. */
function measure(command: readonly [string, ...string[]]): Promise<Cost> {
  const report = `process.on('exit', () => { const used = process.resourceUsage();
    process.stderr.write('\\n@cost ' + (used.userCPUTime + used.systemCPUTime) + ' ' + used.maxRSS + '\\n'); });`;
  const preload = `data:text/javascript,${encodeURIComponent(report)}`;
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--import', preload, ...command], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let output = '';
    child.stderr.on('data', (chunk: Buffer) => {
      output += chunk.toString('utf8');
    });
    child.once('error', reject);
    child.once('close', () => {
      const found = /@cost (\d+) (\d+)/u.exec(output);
      if (found === null) {
        reject(new Error(`${command[0]} ended without saying what it used:\n${output}`));
        return;
      }
      resolve({ cpuSeconds: Number(found[1]) / 1e6, megabytes: Number(found[2]) / 1024 });
    });
  });
}
