import type { Logger } from '@toolwright/sdk';
import { describe, expect, it } from 'vitest';
import { secretRedactor } from '../secrets/secret-redactor.js';
import { RedactingLogger } from './redacting-logger.js';

const KEY = 'AKIAIOSFODNN7ABCDEFG';

function setup(redact = (text: string) => secretRedactor().redact(text)) {
  const entries: unknown[] = [];
  const at = (level: string) => (message: string, fields?: unknown) =>
    void entries.push([level, message, fields]);
  const inner: Logger = { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
  return { entries, inner, logger: new RedactingLogger(inner, { redact }) };
}

describe('RedactingLogger', () => {
  it('takes secrets out of message and fields, however deep', async () => {
    const { logger, entries } = setup();
    logger.warn(`used ${KEY}`, { a: { b: [`x ${KEY}`] }, password: 'two words', n: 1 });
    await logger.flush();
    expect(entries).toEqual([
      ['warn', 'used [redacted]', { a: { b: ['x [redacted]'] }, password: '[redacted]', n: 1 }],
    ]);
  });

  it('keeps the order of the entries when one takes longer to redact', async () => {
    let finish: () => void = () => undefined;
    const { logger, entries } = setup((text) =>
      text === 'slow' ? new Promise((resolve) => (finish = () => resolve(text))) : Promise.resolve(text),
    );
    logger.debug('slow');
    logger.info('fast');
    await new Promise(setImmediate);
    expect(entries).toEqual([]);
    finish();
    await logger.flush();
    expect(entries).toEqual([
      ['debug', 'slow', {}],
      ['info', 'fast', {}],
    ]);
  });

  it('logs fields as they were when they were logged', async () => {
    const { logger, entries } = setup();
    const fields = { state: 'before' };
    logger.info('a', fields);
    fields.state = 'after';
    await logger.flush();
    expect(entries).toEqual([['info', 'a', { state: 'before' }]]);
  });

  it('names a database error by its class alone, and any other with its message redacted', async () => {
    const { logger, entries } = setup();
    const database = Object.assign(new Error(`insert ${KEY}`), { code: 'SQLITE_CONSTRAINT' });
    logger.error('a', { database, other: new RangeError(`at ${KEY}`) });
    await logger.flush();
    expect(entries).toEqual([['error', 'a', { database: 'Error', other: 'RangeError: at [redacted]' }]]);
  });

  it('goes on when fields cannot be read or the logger behind it throws', async () => {
    const { inner, entries } = setup();
    let isBroken = true;
    const logger = new RedactingLogger(
      {
        ...inner,
        info: (message, fields) => {
          if (isBroken) throw new Error('disk full');
          inner.info(message, fields);
        },
      },
      secretRedactor(),
    );
    logger.info('lost');
    await logger.flush();
    isBroken = false;
    const cycle: Record<string, unknown> = {};
    cycle['self'] = cycle;
    logger.info('cycle', cycle);
    await logger.flush();
    expect(entries).toEqual([['info', 'cycle', { dropped: 'too_deep' }]]);
  });

  it('withholds what could not be checked', async () => {
    const { logger, entries } = setup(() => Promise.reject(new Error('x')));
    logger.info(KEY);
    await logger.flush();
    expect(JSON.stringify(entries)).not.toContain(KEY);
    expect(entries).toHaveLength(1);
  });
});
