import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { pinoLogger, standardErrorLogger } from './pino-logger.js';

describe('pinoLogger', () => {
  it('hands message and fields to the pino of the host, in its level', () => {
    const lines: string[] = [];
    const inner = pino(
      { level: 'debug', base: null, timestamp: false },
      { write: (line) => void lines.push(line) },
    );
    const logger = pinoLogger(inner);
    logger.debug('100 %s');
    logger.info('b', { runId: 'r' });
    logger.warn('c');
    logger.error('d', { callId: 'x' });
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
      { level: 20, msg: '100 %s' },
      { level: 30, runId: 'r', msg: 'b' },
      { level: 40, msg: 'c' },
      { level: 50, callId: 'x', msg: 'd' },
    ]);
  });

  it('writes warnings and errors alone when the host has no logger', () => {
    const inner = standardErrorLogger();
    expect(['debug', 'info', 'warn', 'error'].map((level) => inner.isLevelEnabled(level))).toEqual([
      false,
      false,
      true,
      true,
    ]);
  });
});
