import { describe, expect, it } from 'vitest';
import { createPage, readPage, renamePage } from './fixtures/page-tools.js';
import { EFFECT_META_KEY, annotationsOf } from './tool-annotations.js';

describe('annotationsOf', () => {
  it('leaves no hint to the default of a client, whatever the effect', () => {
    expect([readPage, renamePage, createPage].map((tool) => annotationsOf(tool))).toEqual([
      {
        title: 'Read page',
        readOnlyHint: true,
        destructiveHint: false,
        idempotentHint: true,
        openWorldHint: true,
      },
      {
        title: 'Rename page',
        readOnlyHint: false,
        destructiveHint: false,
        idempotentHint: true,
        openWorldHint: true,
      },
      {
        title: 'Create page',
        readOnlyHint: false,
        destructiveHint: true,
        idempotentHint: false,
        openWorldHint: true,
      },
    ]);
  });

  it('takes the effect from the declaration and never from the name', () => {
    const tool = { ...createPage, name: 'read_only_list', effect: 'non_idempotent_write' } as const;
    expect(annotationsOf(tool)).toMatchObject({
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: false,
    });
  });

  it('takes title and open world from the presentation when there is one', () => {
    const presentation = { title: 'Rename', openWorld: false };
    expect(annotationsOf(renamePage, presentation)).toMatchObject({ title: 'Rename', openWorldHint: false });
  });

  it.each([
    ['SEO_audit', 'SEO audit'],
    ['createPage', 'Create page'],
    ['list-pages', 'List pages'],
    ['_', '_'],
  ])('makes a title of the name %s when there is none', (name, title) => {
    expect(annotationsOf({ ...readPage, name }).title).toBe(title);
  });
});

it('the effect key follows the form that MCP gives to keys of _meta', () => {
  expect(EFFECT_META_KEY).toBe('dev.toolwright/effect');
});
