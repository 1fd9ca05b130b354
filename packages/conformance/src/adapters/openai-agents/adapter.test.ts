import { describe, expect, it } from 'vitest';
import { foundIn, readAdapterCases } from '../../testing/adapter-cases.js';
import { OPENAI_AGENTS_ADAPTER } from './adapter.js';

describe('the openai-agents adapter', () => {
  for (const one of readAdapterCases(new URL('./fixtures/', import.meta.url))) {
    it(`finds each tool with its name and its code when ${one.title}`, () => {
      expect(foundIn(OPENAI_AGENTS_ADAPTER, one)).toEqual(one.expected);
    });
  }
});
