/** Runs every generator: each file of this folder that is called `generate-*`. */
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { ROOT } from './workspace.js';

const files = await readdir(path.join(ROOT, 'tools'));
for (const file of files.filter((name) => /^generate-[a-z-]+\.ts$/u.test(name)).sort()) {
  await import(`./${file}`);
}
