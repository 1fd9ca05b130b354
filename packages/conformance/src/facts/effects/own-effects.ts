import { CONTENT_WRITE_METHODS, CONTENT_WRITER_TYPE } from '@toolwright/sdk/contract-names';
import type { EffectClassification } from '@toolwright/catalogue';

// Effects that no library has: of the safe content handler, and of this process's own state.

const SOURCE = 'the contract of the content handler';

const NO_WRITE: EffectClassification = {
  effect: 'none',
  kind: 'read',
  certainty: 'always',
  touches: 'content',
  converges: 'yes',
  confidence: 'proven',
  condition: null,
  isAssumed: false,
  source: SOURCE,
  reason: 'it reads records',
};

/** A change of what lives in this process, and ends with it. */
export const SESSION: EffectClassification = {
  ...NO_WRITE,
  effect: 'session',
  kind: 'set',
  touches: 'session',
  source: 'the source itself',
  reason: 'it changes state of this process',
};

/** What a method of a text, a list or a number does. */
export const OF_LANGUAGE: EffectClassification = {
  ...NO_WRITE,
  kind: 'pure',
  touches: 'nothing',
  source: 'the language',
  reason: 'it works on data',
};

/** What a method of the safe content handler does. */
export function contentEffect(method: string): EffectClassification {
  const write = CONTENT_WRITE_METHODS.find((name) => name === method);
  if (write === undefined) {
    return NO_WRITE;
  }
  const reason = `${CONTENT_WRITER_TYPE}.${write} writes a record`;
  switch (write) {
    case 'create':
      return { ...NO_WRITE, effect: 'content', kind: 'create', converges: 'no', reason };
    case 'update':
      return { ...NO_WRITE, effect: 'content', kind: 'set', converges: 'yes', reason };
    case 'delete':
      return { ...NO_WRITE, effect: 'content', kind: 'delete', converges: 'yes', reason };
  }
}
