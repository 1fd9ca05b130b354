import { describe, expect, it } from 'vitest';
import { foundIn, readAdapterCases } from '../../testing/adapter-cases.js';
import { MASTRA_ADAPTER } from './adapter.js';

describe('the mastra adapter', () => {
  for (const one of readAdapterCases(new URL('./fixtures/', import.meta.url))) {
    it(`finds each tool with its name and its code when ${one.title}`, () => {
      expect(foundIn(MASTRA_ADAPTER, one)).toEqual(one.expected);
    });
  }
});
