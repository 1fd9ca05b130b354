import type { Logger } from '../context/tool-context.js';

/**
 * One line of JSON per entry on standard error: over stdio, standard output carries the protocol and
 * nothing else. Debug lines are dropped.
 */
export const stderrLogger: Logger = {
  debug: () => undefined,
  info: (message, fields) => {
    write('info', message, fields);
  },
  warn: (message, fields) => {
    write('warn', message, fields);
  },
  error: (message, fields) => {
    write('error', message, fields);
  },
};

function write(level: string, message: string, fields: Readonly<Record<string, unknown>> = {}): void {
  let line: string;
  try {
    line = JSON.stringify({ level, message, ...fields });
  } catch {
    line = JSON.stringify({ level, message, fields: 'not serialisable' });
  }
  console.error(line);
}
