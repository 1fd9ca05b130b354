import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { format, resolveConfig } from 'prettier';
import { ROOT } from './workspace.js';

/**
 * Writes a generated file, formatted; with `--check` it writes nothing and fails when the file is another.
 *
 * @param file relative to the root
 */
export async function writeGenerated(file: string, text: string): Promise<void> {
  const target = path.join(ROOT, file);
  const now = await format(text, { ...(await resolveConfig(target)), filepath: target });
  const before = await readFile(target, 'utf8').catch(() => null);
  if (now === before) {
    console.log(`${file} is up to date`);
    return;
  }
  if (process.argv.includes('--check')) {
    console.error(`${file} is not what its generator makes. Run \`pnpm generate\` and commit the result.`);
    process.exitCode = 1;
    return;
  }
  await mkdir(path.dirname(target), { recursive: true });
  await writeFile(target, now);
  console.log(`wrote ${file}`);
}
