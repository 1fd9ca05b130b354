import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { ToolResult } from '../result/tool-result.js';
import { defineTool } from '../tool/define-tool.js';
import { effectOf, isWriterTool } from '../tool/effect-of.js';
import type { Tool } from '../tool/tool.js';
import { ToolEffect, isSafeToRetry, isWrite } from './tool-effect.js';

describe('ToolEffect', () => {
  it('has exactly these three members, and cannot be changed', () => {
    expect(ToolEffect).toEqual({
      READ_ONLY: 'read_only',
      IDEMPOTENT_WRITE: 'idempotent_write',
      NON_IDEMPOTENT_WRITE: 'non_idempotent_write',
    });
    expect(Object.isFrozen(ToolEffect)).toBe(true);
  });

  it.each([
    ['read_only', false, true],
    ['idempotent_write', true, true],
    ['non_idempotent_write', true, false],
  ] as const)('answers for %s: write %s, safe to retry %s', (effect, writes, retries) => {
    expect(isWrite(effect)).toBe(writes);
    expect(isSafeToRetry(effect)).toBe(retries);
  });
});

describe('effectOf', () => {
  const base = { name: 'tool', description: '', input: z.object({}) };

  it('is read-only when the tool declares nothing', () => {
    const tool = defineTool({ ...base, execute: () => ToolResult.text('x') });
    expect(effectOf(tool)).toBe('read_only');
    expect(isWriterTool(tool)).toBe(false);
  });

  it.each(['idempotent_write', 'non_idempotent_write'] as const)(
    'is what the tool declares: %s',
    (effect) => {
      const tool: Tool = { ...base, effect, execute: () => ToolResult.unchanged('x') };
      expect(effectOf(tool)).toBe(effect);
      expect(isWriterTool(tool)).toBe(true);
    },
  );

  it.each([null, '', 'write', 'READ_ONLY', 0, {}])(
    'is the strictest when the declaration is none: %s',
    (effect) => {
      const tool = { ...base, effect, execute: () => ToolResult.text('x') } as unknown as Tool;
      expect(effectOf(tool)).toBe('non_idempotent_write');
      expect(isWriterTool(tool)).toBe(true);
    },
  );
});
