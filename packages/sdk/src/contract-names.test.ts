import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import * as sdk from './index.js';
import * as names from './contract-names.js';

// The names are data that a static check trusts, so they are compared with what the package really offers.
const target = sdk.WriteTarget.of('pages', 1);

describe('the names of the contract', () => {
  it('name exports of the package', () => {
    for (const name of [
      names.TOOL_DEFINITIONS.factory,
      names.EFFECT_CONSTANT,
      names.RESULT_TYPE,
      names.TARGET_TYPE,
      names.SAFE_HANDLER_FACTORY,
    ]) {
      expect(sdk).toHaveProperty(name);
    }
  });

  it('name the members of the effect constant and their values', () => {
    expect(names.EFFECT_MEMBERS).toEqual(sdk.ToolEffect);
  });

  it('name every factory of results, with the kind that it makes', () => {
    const { is: _is, ...factories } = sdk.ToolResult;
    expect(Object.keys(names.RESULT_FACTORIES).sort()).toEqual(Object.keys(factories).sort());
    const made = {
      text: sdk.ToolResult.text('x'),
      wrote: sdk.ToolResult.wrote(target, 'x'),
      unchanged: sdk.ToolResult.unchanged('x'),
      refused: sdk.ToolResult.refused('x'),
      error: sdk.ToolResult.error('x'),
    };
    for (const [factory, kind] of Object.entries(names.RESULT_FACTORIES)) {
      expect(made[factory as keyof typeof made].kind).toBe(kind);
    }
    expect(Object.values(names.RESULT_TYPES).sort()).toEqual(Object.values(names.RESULT_FACTORIES).sort());
  });

  it('name every field of a result and of a target, and the methods that rebuild', () => {
    const result = sdk.ToolResult.text('x');
    expect([...names.RESULT_FIELDS].sort()).toEqual(Object.keys(result).sort());
    expect(names.RESULT_REBUILD_METHODS.every((method) => typeof result[method] === 'function')).toBe(true);
    expect([...names.TARGET_FIELDS].sort()).toEqual(Object.keys(target).sort());
    expect(sdk.WriteTarget).toHaveProperty(names.TARGET_FACTORY);
  });

  it('name the members of a tool', () => {
    const tool = sdk.defineTool({
      name: 'tool',
      description: '',
      input: z.object({}),
      effect: 'idempotent_write',
      execute: () => sdk.ToolResult.unchanged('x'),
      preview: () => [],
      mayViewPreview: () => false,
    });
    expect(Object.values(names.TOOL_MEMBERS).every((member) => member in tool)).toBe(true);
  });

  it('name every method of a writer that writes, and no other', () => {
    const handler = sdk.safeContentHandler(() => {
      throw new TypeError('not built');
    });
    const session = handler.open({
      actor: { id: 'a' },
      runId: 'r',
      callId: 'c',
      signal: new AbortController().signal,
    });
    const written = Object.keys(session.writer).filter((method) => !(method in session.reader));
    expect([...names.CONTENT_WRITE_METHODS].sort()).toEqual(written.sort());
  });
});
