import { ToolEffect, ToolResult, defineTool } from '@toolwright/sdk';
import * as z from 'zod';
import { blockLine, blocksOf, pageTarget, readDraft, type LayoutBlock } from './page-content.js';
import type { MayViewRecord } from './preview-viewers.js';
import { NO_PAGE_PREVIEW, noPage, unlessRefused } from './refusals.js';
import { pageId } from './site-arguments.js';

export const moveBlock = (mayView: MayViewRecord) =>
  defineTool({
    name: 'move_block',
    description: 'Moves one block of a page to another position, as a draft. Positions count from 1.',
    // To a position and not by a distance, so that a second call finds it where the first one put it.
    effect: ToolEffect.IDEMPOTENT_WRITE,
    destructive: false,
    input: z.object({
      page: pageId,
      block: z.string().min(1).max(100).describe('The id of the block.'),
      position: z.int().min(1).max(1000),
    }),
    async preview({ page: id, block, position }, { content }) {
      const page = await readDraft(content, id);
      if (page === null) {
        return NO_PAGE_PREVIEW;
      }
      const before = blocksOf(page);
      const after = moved(before, block, position);
      return after === null
        ? [`Page ${id} has no such block. The call would be refused.`]
        : [`Blocks of page ${id}`, ...numbered('before', before), ...numbered('after', after)];
    },
    mayViewPreview: ({ page }, viewer) => mayView('pages', page, viewer),
    async execute({ page: id, block, position }, { content }) {
      const page = await readDraft(content, id);
      if (page === null) {
        return noPage();
      }
      const before = blocksOf(page);
      const after = moved(before, block, position);
      if (after === null) {
        return ToolResult.refused(`Page ${id} has no such block. Read the page for the ids of its blocks.`);
      }
      if (hasOrder(before, after)) {
        return ToolResult.unchanged(`The block is at position ${position} already.`);
      }
      const target = await unlessRefused(() =>
        content.update(pageTarget(id), { layout: after }, { draft: true, locale: 'en' }),
      );
      if (target === null) {
        return noPage();
      }
      const stored = await readDraft(content, id);
      return stored !== null && hasOrder(blocksOf(stored), after)
        ? ToolResult.wrote(target, `The block is at position ${position} in the draft of page ${id}.`)
        : ToolResult.error(`Page ${id} was written, and its blocks are in another order.`, { target });
    },
  });

/** The blocks in their new order; null without the block. A position behind the end is the end. */
function moved(blocks: readonly LayoutBlock[], id: string, position: number): readonly LayoutBlock[] | null {
  const block = blocks.find((candidate) => candidate.id === id);
  return block === undefined
    ? null
    : blocks.filter((other) => other !== block).toSpliced(position - 1, 0, block);
}

function hasOrder(blocks: readonly LayoutBlock[], wanted: readonly LayoutBlock[]): boolean {
  return blocks.length === wanted.length && blocks.every((block, index) => block.id === wanted[index]?.id);
}

function numbered(when: string, blocks: readonly LayoutBlock[]): readonly string[] {
  return blocks.slice(0, 9).map((block, index) => `${when} ${index + 1}. ${blockLine(block)}`);
}
