import type { Logger } from '../context/tool-context.js';

/** One line that a tool, or the host, logged. */
export interface LogEntry {
  readonly level: 'debug' | 'info' | 'warn' | 'error';
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** A logger that keeps what it is given, oldest first. */
export interface RecordingLogger extends Logger {
  readonly entries: readonly LogEntry[];
}

export function createRecordingLogger(): RecordingLogger {
  const entries: LogEntry[] = [];
  const record =
    (level: LogEntry['level']) =>
    (message: string, fields: Readonly<Record<string, unknown>> = {}): void => {
      entries.push(Object.freeze({ level, message, fields }));
    };
  return {
    entries,
    debug: record('debug'),
    info: record('info'),
    warn: record('warn'),
    error: record('error'),
  };
}
