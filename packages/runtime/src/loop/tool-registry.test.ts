import { ToolResult, defineTool, type Tool } from '@toolwright/sdk';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { creator, reader, renamer } from './fixtures/harness.js';
import { ToolRegistry } from './tool-registry.js';

const plugin = (tools: readonly Tool[], version = '1.0.0') => ({ name: 'pages', version, tools });

function versionOf(input: z.ZodObject, version?: string): string | undefined {
  const tool = defineTool({ name: 't', description: '', input, execute: () => ToolResult.text('') });
  return new ToolRegistry([plugin([tool], version)]).get('t')?.version;
}

describe('ToolRegistry', () => {
  it('answers with the declared effect, and with the strictest for a name that it does not know', () => {
    const registry = new ToolRegistry([plugin([reader(), renamer(), creator()])]);
    expect(
      ['count_pages', 'rename_page', 'create_page', 'gone', '__proto__', ''].map((name) =>
        registry.effectFor(name),
      ),
    ).toEqual([
      'read_only',
      'idempotent_write',
      'non_idempotent_write',
      'non_idempotent_write',
      'non_idempotent_write',
      'non_idempotent_write',
    ]);
  });

  it('refuses two tools of one name, within a plugin and across plugins', () => {
    for (const plugins of [
      [plugin([reader(), reader()])],
      [plugin([reader()]), { ...plugin([reader()]), name: 'b' }],
    ]) {
      expect(() => new ToolRegistry(plugins)).toThrow(
        expect.objectContaining({
          code: 'DUPLICATE_TOOL',
          message: expect.stringContaining('"count_pages"'),
        }),
      );
    }
  });

  it('checks a tool that has not passed defineTool', () => {
    const spread = { ...reader(), effect: 'harmless' } as never;
    expect(() => new ToolRegistry([plugin([spread])])).toThrow(
      expect.objectContaining({ code: 'INVALID_TOOL_DEFINITION' }),
    );
  });

  it('offers name, description and input schema in the order of registration', () => {
    const registry = new ToolRegistry([plugin([renamer(), reader()])]);
    expect(registry.offered().map(({ name }) => name)).toEqual(['rename_page', 'count_pages']);
    expect(registry.offered()[0]!.inputSchema).toMatchObject({ type: 'object', required: ['uid', 'title'] });
  });

  it('gives a tool another version when its plugin or its schema changes, and not when a default is computed', () => {
    const base = z.object({ a: z.string() });
    expect(versionOf(base)).toBe(versionOf(z.object({ a: z.string() })));
    expect(versionOf(base)).not.toBe(versionOf(base, '1.0.1'));
    expect(versionOf(base)).not.toBe(versionOf(z.object({ a: z.string().max(3) })));
    const computed = () => z.object({ id: z.string().default(() => String(Math.random())) });
    expect(versionOf(computed())).toBe(versionOf(computed()));
    // A field that is called "default" is a field.
    expect(versionOf(z.object({ default: z.string() }))).not.toBe(versionOf(z.object({})));
    expect(versionOf(z.object({ a: z.enum(['x']) }))).not.toBe(versionOf(z.object({ a: z.enum(['y']) })));
  });
});
