import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const PACKAGE = fileURLToPath(new URL('../..', import.meta.url));
const BIN = path.join(PACKAGE, 'bin/toolwright-runtime.js');
const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc');
const url = (file: string): string => JSON.stringify(pathToFileURL(file).href);
const SDK = path.join(PACKAGE, 'node_modules/@toolwright/sdk/dist/index.js');
const ZOD = createRequire(import.meta.url).resolve('zod');

/** A host as somebody would write it, whose tool is still writing when it is asked to end. */
const HOST = `
import { createRuntime, neverPause, openRunStore, scriptedModel } from ${url(path.join(PACKAGE, 'dist/index.js'))};
import { ToolResult, WriteTarget, defineTool } from ${url(SDK)};
import { z } from ${url(ZOD)};
const store = await openRunStore({ file: 'runs.db', encryption: { keys: [{ id: 'k', secret: Buffer.alloc(32, 7) }] } });
const create = defineTool({
  name: 'create_page', description: 'Creates.', effect: 'non_idempotent_write', input: z.object({}),
  async execute() {
    const ended = new Promise((resolve) => process.once('SIGTERM', resolve));
    process.stderr.write('WRITING\\n');
    await ended;
    return ToolResult.wrote(WriteTarget.of('pages', 1), 'Created.');
  },
});
export const runtime = createRuntime({
  store, tools: [create], policy: neverPause,
  model: scriptedModel([{ call: { tool: 'create_page', arguments: {} } }, 'Done.']),
});
export const close = () => store.close();
if (process.env.ENQUEUE) {
  await runtime.enqueue({ actor: { id: 'anna' }, prompt: 'x', runId: 'run-1' });
  await close();
}
`;

describe('the installed command', () => {
  let cwd = '';
  beforeAll(async () => {
    execFileSync(process.execPath, [tsc, '-b', PACKAGE]);
    cwd = await mkdtemp(path.join(tmpdir(), 'toolwright-bin-'));
    await writeFile(path.join(cwd, 'host.mjs'), HOST);
  });
  afterAll(() => rm(cwd, { recursive: true }));

  const env = { ...process.env, NODE_OPTIONS: '' };
  const command = (...args: readonly string[]) =>
    spawnSync(process.execPath, [BIN, ...args], { cwd, encoding: 'utf8', env });

  it('says what is wrong, with exit code 2, when it has no host', () => {
    const { status, stderr, stdout } = command('runs');
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toContain('Give --host FILE');
  });

  it('works on a queued run, and finishes its write when it gets a SIGTERM', async () => {
    expect(command('migrate', '--file', 'runs.db').stdout).toContain('version 3 (sqlite)');
    spawnSync(process.execPath, ['host.mjs'], { cwd, env: { ...env, ENQUEUE: '1' } });
    expect(command('runs', '--host', 'host.mjs').stdout).toMatch(/run-1 +queued/u);

    const worker = spawn(process.execPath, [BIN, 'work', '--host', 'host.mjs'], { cwd, env });
    let stderr = '';
    worker.stderr.on('data', (chunk: Buffer) => {
      stderr += chunk.toString('utf8');
      if (chunk.includes('WRITING')) worker.kill('SIGTERM');
    });
    const code = await new Promise<number | null>((resolve) => worker.once('close', resolve));
    expect(stderr).toMatch(/Works\.[\s\S]*WRITING[\s\S]*Takes no more runs[\s\S]*Has finished\./u);
    expect(code).toBe(0);

    const shown = command('show', 'run-1', '--host', 'host.mjs', '--json');
    expect(shown.status).toBe(0);
    expect(JSON.parse(shown.stdout)).toMatchObject({
      run: { status: 'completed' },
      steps: [
        {},
        {},
        { kind: 'approval' },
        { kind: 'tool', outcome: 'landed' },
        { kind: 'write_target' },
        {},
      ],
    });
  });
});
