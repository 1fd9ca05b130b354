/**
 * Everything that must hold before a change lands, one line each: `ok <name> (<seconds> s)`, or what failed
 * with the command's own output and how to run it alone. All checks run, then the exit code says whether one
 * failed. Names given as arguments run only those (the build always comes first).
 */
import { spawn } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { ROOT } from './workspace.js';

interface Check {
  readonly name: string;
  /** A binary of node_modules/.bin, or `node`, and its arguments. */
  readonly command: readonly [string, ...string[]];
  /** Other than 0 where a finding is what is expected. */
  readonly expectedExit?: number;
  /** Whether it reads what the build makes; then it fails with the build. */
  readonly needsBuild?: boolean;
}

const BUILD: Check = { name: 'build', command: ['tsc', '-b', 'tsconfig.build.json'] };

const CONFORMANCE = 'packages/conformance/bin/toolwright-conformance.js';

// What is held to the contract: tools, and what carries their results.
const OWN_CODE = [
  'examples/pages-plugin',
  'examples/pages-host',
  'examples/payload-site',
  'examples/sequelize-binding',
  'packages/payload',
  'packages/runtime',
];

const conformance = (name: string, subject: string, expectedExit = 0): Check => ({
  name,
  command: ['node', CONFORMANCE, subject],
  expectedExit,
  needsBuild: true,
});

const generators = (await readdir(path.join(ROOT, 'tools')))
  .filter((file) => /^generate-[a-z-]+\.ts$/u.test(file))
  .sort();

// The slowest first, so that the two at a time end together.
const CHECKS: readonly Check[] = [
  { name: 'lint', command: ['eslint', '.', '--max-warnings', '0'] },
  { name: 'outside consumer', command: ['tsx', 'tools/check-outside-consumer.ts'], needsBuild: true },
  { name: 'packed packages', command: ['tsx', 'tools/check-packages.ts'], needsBuild: true },
  { name: 'api reports', command: ['tsx', 'tools/check-api.ts'], needsBuild: true },
  { name: 'types of tests and tools', command: ['tsc', '-p', 'tsconfig.json'], needsBuild: true },
  {
    name: 'own lint rules',
    command: ['eslint', '-c', 'eslint.contract.config.js', ...OWN_CODE],
    needsBuild: true,
  },
  {
    name: 'own lint rules on the broken plugin',
    command: ['eslint', '-c', 'eslint.contract.config.js', 'examples/broken-plugin'],
    expectedExit: 1,
    needsBuild: true,
  },
  { name: 'format', command: ['prettier', '--check', '--log-level', 'warn', '.'] },
  {
    name: 'import boundaries',
    command: ['depcruise', '--config', '.dependency-cruiser.mjs', 'packages', 'examples', 'tools'],
  },
  { name: 'text', command: ['tsx', 'tools/check-text.ts'] },
  { name: 'changesets', command: ['tsx', 'tools/check-changeset.ts'] },
  ...generators.map((file) => ({
    name: path.basename(file, '.ts').replace('generate-', 'generated '),
    command: ['tsx', `tools/${file}`, '--check'] as const,
  })),
  conformance('the pages plugin keeps its contracts', 'examples/pages-plugin'),
  conformance('the pages host keeps its contracts', 'examples/pages-host'),
  conformance('the payload site keeps its contracts', 'examples/payload-site'),
  conformance('the payload binding keeps its contracts', 'packages/payload'),
  conformance('the sequelize binding keeps its contracts', 'examples/sequelize-binding'),
  conformance('the runtime keeps its contracts', 'packages/runtime'),
  conformance('the broken plugin is found out', 'examples/broken-plugin', 1),
];

// Two, as many as the smallest machine has cores; more would only make each slower.
const AT_ONCE = 2;

const chosen = process.argv.slice(2);
const unknown = chosen.filter((name) => !CHECKS.some((check) => check.name === name));
if (unknown.length > 0) {
  console.error(
    `No check is called ${unknown.map((name) => `"${name}"`).join(', ')}. There are: ` +
      `${CHECKS.map(({ name }) => name).join(', ')}.`,
  );
  process.exit(2);
}

let passed = 0;
let failed = 0;

const isBuilt = await run(BUILD);
const waiting = CHECKS.filter(({ name }) => chosen.length === 0 || chosen.includes(name));
await Promise.all(
  Array.from({ length: AT_ONCE }, async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      if (next.needsBuild === true && !isBuilt) {
        failed += 1;
        console.log(`FAILED ${next.name}: it reads the build, which failed`);
      } else {
        await run(next);
      }
    }
  }),
);
console.log(`checks: ${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

async function run(check: Check): Promise<boolean> {
  const start = performance.now();
  const { exit, output } = await execute(check.command);
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  const expected = check.expectedExit ?? 0;
  if (exit === expected) {
    passed += 1;
    console.log(`ok ${check.name} (${seconds} s)`);
    return true;
  }
  failed += 1;
  console.log(
    `FAILED ${check.name} (${seconds} s): expected exit code ${expected}, found ${exit ?? 'a signal'}\n` +
      `${output.trimEnd().replace(/^/gmu, '    ')}\n` +
      `    Alone: npx ${check.command.join(' ')}`,
  );
  return false;
}

function execute(command: Check['command']): Promise<{ exit: number | null; output: string }> {
  const [name, ...args] = command;
  const file = name === 'node' ? process.execPath : path.join(ROOT, 'node_modules/.bin', name);
  return new Promise((resolve) => {
    const child = spawn(file, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    const collect = (chunk: Buffer): void => {
      output += chunk.toString('utf8');
    };
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    child.once('error', (error) => {
      resolve({ exit: null, output: `${file}: ${error.message}` });
    });
    child.once('close', (exit) => {
      resolve({ exit, output });
    });
  });
}
