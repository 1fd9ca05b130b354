import { open, rm } from 'node:fs/promises';
import path from 'node:path';
import { fdatasyncSync, writeSync } from 'node:fs';

const MEASURE_MS = 2_000;

/** How often the disk takes a page and confirms that it has it, one after the other. */
export async function syncsPerSecond(directory: string): Promise<number> {
  const file = path.join(directory, 'syncs');
  const handle = await open(file, 'w');
  const page = Buffer.alloc(4096, 1);
  const start = performance.now();
  let syncs = 0;
  while (performance.now() - start < MEASURE_MS) {
    writeSync(handle.fd, page, 0, page.length, (syncs % 256) * page.length);
    fdatasyncSync(handle.fd);
    syncs += 1;
  }
  const seconds = (performance.now() - start) / 1_000;
  await handle.close();
  await rm(file);
  return syncs / seconds;
}
