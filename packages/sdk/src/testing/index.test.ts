import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

// Stands for an installation without the optional peers.
const WITHOUT_PEERS = `export async function resolve(name, context, next) {
  if (/^(vitest|@vitest|@modelcontextprotocol)(\\/|$)/.test(name)) throw new Error('not installed: ' + name);
  return next(name, context);
}`;

it('the entry point loads when vitest is not installed', async () => {
  const script = `
    import { register } from 'node:module';
    register(${JSON.stringify(`data:text/javascript,${encodeURIComponent(WITHOUT_PEERS)}`)});
    const load = (name) => import(new URL(name, ${JSON.stringify(import.meta.url)}).href).then(
      (module) => typeof module.createTestHost, (error) => error.message);
    console.log(await load('index.ts') + ', ' + await load('vitest.ts'));
  `;
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--import', 'tsx', '--input-type=module', '--eval', script],
    { cwd: fileURLToPath(new URL('.', import.meta.url)) },
  );
  expect(stdout.trim()).toBe('function, not installed: vitest');
});
