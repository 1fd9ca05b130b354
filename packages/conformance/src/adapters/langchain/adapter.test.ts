import { describe, expect, it } from 'vitest';
import { foundIn, readAdapterCases } from '../../testing/adapter-cases.js';
import { LANGCHAIN_ADAPTER } from './adapter.js';

describe('the langchain adapter', () => {
  for (const one of readAdapterCases(new URL('./fixtures/', import.meta.url))) {
    it(`finds each tool with its name and its code when ${one.title}`, () => {
      expect(foundIn(LANGCHAIN_ADAPTER, one)).toEqual(one.expected);
    });
  }
});
