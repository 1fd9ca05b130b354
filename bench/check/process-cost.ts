import { spawn } from 'node:child_process';

export interface Cost {
  /** Of the whole process, user and system. */
  readonly cpuSeconds: number;
  /** The peak. */
  readonly megabytes: number;
}

/**
 * Runs a script of Node's in a process of its own and answers what it used. Its findings, type errors and exit
 * code do not matter here; that it did its work does, so `isDone` reads what it printed.
 *
 * @throws Error when the process says nothing of its cost, or did not do its work.
 */
export function costOf(command: readonly string[], isDone: (output: string) => boolean): Promise<Cost> {
  const report = `process.on('exit', () => { const used = process.resourceUsage();
    process.stderr.write('\\n@cost ' + (used.userCPUTime + used.systemCPUTime) + ' ' + used.maxRSS + '\\n'); });`;
  const preload = `data:text/javascript,${encodeURIComponent(report)}`;
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--import', preload, ...command], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    const keep = (chunk: Buffer): void => {
      output += chunk.toString('utf8');
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    child.once('error', reject);
    child.once('close', () => {
      const found = /@cost (\d+) (\d+)/u.exec(output);
      if (found === null || !isDone(output)) {
        reject(new Error(`${command.join(' ')} did not do its work:\n${output.slice(0, 2000)}`));
        return;
      }
      resolve({ cpuSeconds: Number(found[1]) / 1e6, megabytes: Number(found[2]) / 1024 });
    });
  });
}
