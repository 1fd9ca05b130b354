import type { Logger } from '@toolwright/sdk';
import { destination, pino, type Logger as PinoLogger } from 'pino';

type Fields = Readonly<Record<string, unknown>>;

const STANDARD_ERROR = 2;

/**
 * Logs through pino.
 *
 * @param inner - the host's own pino logger, or a child of it. Default: JSON lines of level `warn` and above on
 *   the standard error output, written before the call returns.
 */
export function pinoLogger(inner: PinoLogger = standardErrorLogger()): Logger {
  const at =
    (level: 'debug' | 'info' | 'warn' | 'error') =>
    (message: string, fields: Fields = {}): void => {
      inner[level](fields, message);
    };
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

/** @param level - pino's name of the least level that is written. */
export function standardErrorLogger(level = 'warn'): PinoLogger {
  return pino(
    {
      level,
      base: null,
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
    },
    destination({ fd: STANDARD_ERROR, sync: true }),
  );
}
