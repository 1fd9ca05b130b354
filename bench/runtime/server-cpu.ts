import { readdirSync, readFileSync } from 'node:fs';

/** What the system counts processor time in, on every Linux that Node runs on. */
const TICKS_PER_SECOND = 100;

/**
 * The processor time that a PostgreSQL on this port has taken until now with all of its processes, those that have ended
 * included, in milliseconds. Null where the system does not tell: it is asked of Linux's `/proc`.
 */
export function serverCpuMs(port: number): number | null {
  let processes: readonly Process[];
  try {
    processes = readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? readProcess(name) : []));
  } catch {
    return null;
  }
  const server = processes.find(
    ({ command, parent }) => parent === String(process.pid) && command.includes(`\0${String(port)}\0`),
  );
  if (server === undefined) {
    return null;
  }
  const backends = processes.filter(({ parent }) => parent === server.id);
  const ticks = backends.reduce((sum, { own }) => sum + own, server.own + server.ended);
  return (ticks * 1_000) / TICKS_PER_SECOND;
}

interface Process {
  readonly id: string;
  readonly parent: string;
  readonly command: string;
  /** Of itself, and of its children that have ended, in ticks. */
  readonly own: number;
  readonly ended: number;
}

function readProcess(id: string): readonly Process[] {
  try {
    const stat = readFileSync(`/proc/${id}/stat`, 'utf8');
    // The name in brackets may have anything in it; the fields behind it are counted from the state, the third one.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const ticks = (first: number): number => Number(fields[first]) + Number(fields[first + 1]);
    const command = readFileSync(`/proc/${id}/cmdline`, 'utf8');
    return [{ id, parent: fields[1] ?? '', command, own: ticks(11), ended: ticks(13) }];
  } catch {
    // It has ended since it was listed.
    return [];
  }
}
