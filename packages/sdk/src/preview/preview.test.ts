import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { ReaderContext, Viewer } from '../context/tool-context.js';
import { ToolResult } from '../result/tool-result.js';
import { defineTool, type ToolDefinition } from '../tool/define-tool.js';
import type { Tool } from '../tool/tool.js';
import {
  MAX_PREVIEW_LINES,
  MAX_PREVIEW_LINE_LENGTH,
  boundPreview,
  mayView,
  producePreview,
} from './preview.js';

const input = z.object({ tags: z.array(z.string()) });
const context = {} as ReaderContext;
const viewer = { id: 'viewer' };

type Definition = ToolDefinition<typeof input, 'idempotent_write'>;

function toolWith(change: Partial<Definition>): Tool {
  return defineTool({
    name: 'tool',
    description: '',
    input,
    effect: 'idempotent_write',
    execute: () => ToolResult.unchanged('x'),
    ...change,
  });
}

describe('boundPreview', () => {
  it('leaves what fits as it is', () => {
    const lines = Array.from({ length: MAX_PREVIEW_LINES }, () => '😀'.repeat(MAX_PREVIEW_LINE_LENGTH));
    expect(boundPreview(lines)).toEqual({ lines, isCut: false });
  });

  it('shows at most 20 lines, the last of which announces the cut', () => {
    const { lines, isCut } = boundPreview(Array.from({ length: 21 }, (_item, index) => String(index)));
    expect(isCut).toBe(true);
    expect(lines).toHaveLength(20);
    expect(lines.at(18)).toBe('18');
    expect(lines.at(19)).toBe('(cut: the full arguments are stored with the call)');
  });

  it('announces the cut of a line, too', () => {
    const { lines, isCut } = boundPreview(['ä'.repeat(501), 'next']);
    expect(isCut).toBe(true);
    expect(lines).toEqual([
      `${'ä'.repeat(499)}…`,
      'next',
      '(cut: the full arguments are stored with the call)',
    ]);
  });

  it('makes lines of a text with line breaks', () => {
    expect(boundPreview(['a\nb\r\nc\rd\u2028e']).lines).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  it('strips what could hide or reorder text', () => {
    expect(boundPreview(['a\u001b[31mb\u202ec\u2066d\u200be\u0000\u{e0041}']).lines).toEqual([
      'a [31mb c d e  ',
    ]);
  });

  it('shows what is no text as text', () => {
    expect(boundPreview([7, null, undefined] as unknown as string[]).lines).toEqual([
      '7',
      'null',
      'undefined',
    ]);
  });

  it('does not read further than it shows', () => {
    let asked = 0;
    const endless = {
      *[Symbol.iterator]() {
        for (;;) {
          asked += 1;
          yield '\n'.repeat(5);
        }
      },
    } as unknown as string[];
    expect(boundPreview(endless).lines).toHaveLength(20);
    expect(asked).toBe(4);
  });
});

describe('producePreview', () => {
  it('asks the tool with the arguments and the context', async () => {
    const seen: unknown[] = [];
    const tool = toolWith({
      preview: (...args) => {
        seen.push(...args);
        return ['line'];
      },
    });
    expect(await producePreview(tool, { tags: ['a'] }, context)).toEqual({ lines: ['line'], isCut: false });
    expect(seen).toEqual([{ tags: ['a'] }, context]);
    expect(seen[1]).toBe(context);
  });

  it('has no lines when the tool has no preview', async () => {
    expect(await producePreview(toolWith({}), { tags: [] }, context)).toEqual({ lines: [], isCut: false });
  });

  it.each<[string, () => readonly string[] | Promise<readonly string[]>]>([
    [
      'throws',
      () => {
        throw new TypeError('secret');
      },
    ],
    ['rejects', () => Promise.reject(new TypeError('secret'))],
    ['answers no list', () => 7 as unknown as string[]],
    ['answers nothing', () => undefined as unknown as string[]],
  ])('is one line with the class of the error and not its message when it %s', async (_how, preview) => {
    expect(await producePreview(toolWith({ preview }), { tags: [] }, context)).toEqual({
      lines: ['The preview failed (TypeError).'],
      isCut: false,
    });
  });

  it('leaves the arguments that run as they are when the preview changes its own', async () => {
    const args = { tags: ['b', 'a'] };
    await producePreview(toolWith({ preview: ({ tags }) => tags.sort() }), args, context);
    expect(args.tags).toEqual(['b', 'a']);
  });
});

describe('mayView', () => {
  const allowed = toolWith({ mayViewPreview: (_input, { id }) => id === 'viewer' });

  it('is what the tool answers for this viewer', async () => {
    expect(await mayView(allowed, { tags: [] }, viewer)).toBe(true);
    expect(await mayView(allowed, { tags: [] }, { id: 'other' })).toBe(false);
  });

  it.each<[string, Tool | undefined, Viewer | undefined]>([
    ['there is no tool', undefined, viewer],
    ['there is no viewer', toolWith({ mayViewPreview: () => true }), undefined],
    ['the tool has no answer', toolWith({}), viewer],
    [
      'the tool throws',
      toolWith({
        mayViewPreview: () => {
          throw new Error('x');
        },
      }),
      viewer,
    ],
    ['the tool rejects', toolWith({ mayViewPreview: () => Promise.reject(new Error('x')) }), viewer],
    ['the answer is no boolean', toolWith({ mayViewPreview: () => 'yes' as unknown as boolean }), viewer],
    ['the answer is nothing', toolWith({ mayViewPreview: () => undefined as unknown as boolean }), viewer],
  ])('withholds when %s', async (_why, tool, who) => {
    expect(await mayView(tool, { tags: [] }, who)).toBe(false);
  });
});
