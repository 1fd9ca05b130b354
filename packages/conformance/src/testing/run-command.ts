import path from 'node:path';
import { run } from '../cli/run.js';
import type { Terminal } from '../cli/terminal.js';
import { SourceFileCache } from '../load/source-file-cache.js';
import { withFixture } from './check-fixture.js';

export interface CommandResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CommandSetting {
  /** `{fixture}` in a value stands for the fixture's folder. */
  readonly env?: Readonly<Record<string, string>>;
  /** Whether both streams are a terminal. */
  readonly isTTY?: boolean;
  /** What the clock answers, call by call; the last value stays. */
  readonly times?: readonly number[];
  /** Whether the caller can run the command again with a larger stack. */
  readonly hasLargerStack?: boolean;
  /** The working directory, relative to the fixture. */
  readonly cwd?: string;
}

const CACHE = new SourceFileCache();

/** Runs the real command on a fixture, with streams, environment and clock of its own. */
export function runCommand(
  files: Readonly<Record<string, string | null>>,
  args: readonly string[],
  setting: CommandSetting = {},
): CommandResult {
  return withFixture(files, (folder) => {
    const env = Object.entries(setting.env ?? {}).map(([name, value]) => [
      name,
      value.replace('{fixture}', folder),
    ]);
    return runCommandIn(path.join(folder, setting.cwd ?? '.'), args, {
      ...setting,
      env: Object.fromEntries(env) as Readonly<Record<string, string>>,
    });
  });
}

/** The same in a folder that is there. */
export function runCommandIn(
  cwd: string,
  args: readonly string[],
  { env = {}, isTTY = false, times = [0], hasLargerStack = false }: CommandSetting = {},
): CommandResult {
  const output = { stdout: '', stderr: '' };
  const queue = [...times];
  const terminal: Terminal = {
    cwd,
    stdout: { isTTY, write: (text) => (output.stdout += text) },
    stderr: { isTTY, write: (text) => (output.stderr += text) },
    env,
    hasLargerStack,
    now: () => (queue.length > 1 ? queue.shift() : queue[0]) ?? 0,
  };
  const code = run(args, terminal, CACHE);
  return { code, ...output };
}

/** A tool that keeps every contract. */
export const SOUND_TOOL = `import { defineTool, ToolEffect, ToolResult, WriteTarget } from '@toolwright/sdk';
import * as z from 'zod';
export const save = defineTool({
  name: 'save_page',
  description: 'Saves a page.',
  input: z.object({ uid: z.number() }),
  effect: ToolEffect.IDEMPOTENT_WRITE,
  async execute({ uid }, { content }) {
    const target = await content.update(WriteTarget.of('pages', uid), { saved: true });
    return ToolResult.wrote(target, 'Saved.');
  },
});
`;

/** Functions whose types follow each other for longer than a usual stack is deep, and a tool that calls the last of them. */
export const DEEP_CODE: Readonly<Record<string, string>> = {
  'src/generated.ts': Array.from({ length: 6_000 }, (_, index) =>
    index === 0
      ? 'export function f0(n: number) { return n; }'
      : `export function f${String(index)}(n: number) { return f${String(index - 1)}(n); }`,
  ).join('\n'),
  'src/tools.ts': SOUND_TOOL.replace(
    'import * as z',
    "import { f5999 } from './generated.js';\nimport * as z",
  ).replace("'Saved.'", 'String(f5999(uid))'),
};

/** A tool whose effect the environment decides. */
export const FAULTY_TOOL = SOUND_TOOL.replace(
  'effect: ToolEffect.IDEMPOTENT_WRITE',
  "effect: process.env.EFFECT as 'idempotent_write'",
);
