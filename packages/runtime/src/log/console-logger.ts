import type { Logger } from '@toolwright/sdk';

type Fields = Readonly<Record<string, unknown>>;

function write(level: 'warn' | 'error', message: string, fields: Fields = {}): void {
  console.error(JSON.stringify({ level, message, ...fields }));
}

/** Warnings and errors as JSON lines on the standard error output; nothing else. */
export const consoleLogger: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn(message, fields) {
    write('warn', message, fields);
  },
  error(message, fields) {
    write('error', message, fields);
  },
};
