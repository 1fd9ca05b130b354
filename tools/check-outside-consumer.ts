/**
 * The plugin of examples/outside-plugin, made outside this workspace: plain npm, the packed tarballs, its own compiler and linter. It must
 * compile, be proven and be linted; a broken variant that compiles just as well must be found out by both.
 */
import { execFile } from 'node:child_process';
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import * as z from 'zod';
import { packPackages } from './pack-packages.js';
import { reportProblems } from './report-problems.js';
import { ROOT, readManifest } from './workspace.js';

const EXAMPLE = path.join(ROOT, 'examples/outside-plugin');
const BROKEN = path.join(ROOT, 'tools/fixtures/outside-plugin-broken');
const FROM_THE_REGISTRY = ['zod', 'typescript', 'eslint', '@typescript-eslint/parser', '@types/node'];
const REPORT = z.object({
  summary: z.object({ tools: z.number(), violated: z.number() }),
  diagnostics: z.array(z.object({ rule: z.string(), verdict: z.string(), tool: z.string().nullable() })),
});

interface Ended {
  readonly exit: number;
  readonly output: string;
  readonly stdout: string;
}

const problems: string[] = [];
const folder = await mkdtemp(path.join(tmpdir(), 'toolwright-outside-'));
try {
  const plugin = path.join(folder, 'plugin');
  await cp(EXAMPLE, plugin, { recursive: true });
  await install(plugin);
  await expectOneSdk(plugin);

  await expectExit(0, 'the plugin compiles', plugin, ['tsc', '--noEmit']);
  await expectFindings('the plugin keeps its contracts', plugin, { tools: 3, exit: 0, rules: [] });
  await expectExit(0, 'the plugin is linted', plugin, ['eslint', '.']);

  await cp(BROKEN, plugin, { recursive: true });
  await expectExit(0, 'the broken plugin compiles', plugin, ['tsc', '--noEmit']);
  await expectFindings('the broken plugin is found out', plugin, {
    tools: 1,
    exit: 1,
    rules: ['raw-handler-stays-wrapped', 'writer-returns-target'],
  });
  const lint = await expectExit(1, 'the broken plugin is linted', plugin, ['eslint', '.']);
  if (!lint.output.includes('@toolwright/no-raw-content-handler')) {
    problems.push(`The linter did not name the rule that the broken plugin breaks:\n${lint.output}`);
  }

  // The packed command on the sources of this workspace: what is published proves what it was made from.
  const check = ['toolwright-conformance', 'examples/pages-plugin'] as const;
  await expectExit(0, 'the packed command proves the example', plugin, check, ROOT);
  reportProblems(problems, 'the plugin compiles, is proven and linted; the broken one is found out');
} finally {
  await rm(folder, { recursive: true, force: true });
}

/** As a user does it: one npm install of the tarballs and of what they peer on, in this workspace's versions. */
async function install(plugin: string): Promise<void> {
  const packed = await packPackages(path.join(folder, 'packed'));
  const others = await Promise.all(
    FROM_THE_REGISTRY.map(
      async (name) => `${name}@${(await readManifest(await installedFolder(name))).version}`,
    ),
  );
  const wanted = [...packed.map(({ tarball }) => tarball), ...others];
  const flags = ['--save-dev', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'];
  const ended = await run('npm', ['install', ...flags, ...wanted], plugin);
  if (ended.exit !== 0) {
    throw new Error(`npm could not install the tarballs:\n${ended.output}`);
  }
}

/** A registry package as the workspace has it: at the root, or in the package that depends on it. */
async function installedFolder(name: string): Promise<string> {
  for (const from of ['.', 'packages/eslint-plugin']) {
    const candidate = path.join(ROOT, from, 'node_modules', name);
    if (await readManifest(candidate).then(Boolean, () => false)) {
      return candidate;
    }
  }
  throw new Error(`${name} is not installed in the workspace. Run \`pnpm install\`.`);
}

async function expectOneSdk(plugin: string): Promise<void> {
  const entries = await readdir(path.join(plugin, 'node_modules'), { recursive: true });
  const copies = entries.filter((entry) => entry.endsWith(path.join('@toolwright', 'sdk', 'package.json')));
  if (copies.length !== 1) {
    problems.push(
      `Expected one copy of @toolwright/sdk in the plugin, found ${copies.length}: ${copies.join(', ')}`,
    );
  }
}

async function expectFindings(
  what: string,
  plugin: string,
  expected: { readonly tools: number; readonly exit: number; readonly rules: readonly string[] },
): Promise<void> {
  const ended = await expectExit(expected.exit, what, plugin, ['toolwright-conformance', '--format', 'json']);
  const report = REPORT.safeParse(jsonOrNull(ended.stdout));
  if (!report.success) {
    problems.push(`${what}: standard output is not a report: ${report.error.message}\n${ended.output}`);
    return;
  }
  const { summary, diagnostics } = report.data;
  const violated = [
    ...new Set(diagnostics.filter(({ verdict }) => verdict === 'violated').map(({ rule }) => rule)),
  ];
  if (summary.tools !== expected.tools || violated.sort().join() !== [...expected.rules].join()) {
    problems.push(
      `${what}: expected ${expected.tools} tools and violations of [${expected.rules.join(', ')}], ` +
        `found ${summary.tools} tools and [${violated.join(', ')}]\n${ended.output}`,
    );
  }
}

async function expectExit(
  expected: number,
  what: string,
  plugin: string,
  command: readonly [string, ...string[]],
  cwd = plugin,
): Promise<Ended> {
  const [name, ...args] = command;
  const ended = await run(path.join(plugin, 'node_modules/.bin', name), args, cwd);
  if (ended.exit !== expected) {
    problems.push(
      `${what}: expected \`${command.join(' ')}\` to exit with ${expected}, found ${ended.exit}\n${ended.output}`,
    );
  }
  return ended;
}

async function run(file: string, args: readonly string[], cwd: string): Promise<Ended> {
  try {
    const { stdout, stderr } = await promisify(execFile)(file, [...args], {
      cwd,
      maxBuffer: 64 * 1024 * 1024,
    });
    return { exit: 0, output: stdout + stderr, stdout };
  } catch (error) {
    const ended = error as { code?: unknown; stdout?: string; stderr?: string; message: string };
    const stdout = ended.stdout ?? '';
    return {
      exit: typeof ended.code === 'number' ? ended.code : -1,
      output: stdout + (ended.stderr ?? '') || ended.message,
      stdout,
    };
  }
}

function jsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
