import { ToolResult, WriteTarget, type ToolArtifact } from '@toolwright/sdk';
import { describe, expect, it } from 'vitest';
import { DROPPED_ARTIFACTS, MAX_CONTENT_BYTES, boundResult } from './bound-result.js';
import { CREATE, creator, expectStatus, harness, only, reader } from './fixtures/harness.js';

const target = WriteTarget.of('pages', 12);
const artifacts = [{ type: 'diff', data: { before: 1, after: 2 } }];

describe('boundResult', () => {
  it.each([
    ['text', ToolResult.text('x', { artifacts })],
    ['wrote', ToolResult.wrote(target, 'x', { artifacts })],
    ['unchanged', ToolResult.unchanged('x')],
    ['refused', ToolResult.refused('x')],
    ['an error', ToolResult.error('x')],
    ['an error with a target', ToolResult.error('x', { target })],
  ])('keeps every field of %s that is within its bounds', (_what, result) => {
    const { kind, content, isError, target: kept } = result;
    expect(boundResult(result)).toMatchObject({ kind, content, isError, target: kept });
    expect(boundResult(result).artifacts).toEqual(result.artifacts);
    expect(ToolResult.is(boundResult(result))).toBe(true);
  });

  it.each(['x', 'ä', '語', '🙂'])('cuts content at a code point of %s and keeps the target', (character) => {
    const bounded = boundResult(ToolResult.error(character.repeat(60_000), { target }));
    expect(Buffer.byteLength(bounded.content)).toBeLessThanOrEqual(MAX_CONTENT_BYTES);
    expect(Buffer.byteLength(bounded.content)).toBeGreaterThan(MAX_CONTENT_BYTES - 100);
    expect(bounded.content).not.toContain('\uFFFD');
    expect(bounded.content).toContain('[cut');
    expect(bounded.target).toBe(target);
  });

  it('leaves content of exactly the limit alone', () => {
    const content = 'x'.repeat(MAX_CONTENT_BYTES);
    expect(boundResult(ToolResult.text(content)).content).toBe(content);
  });

  const cyclic: Record<string, unknown> = {};
  cyclic['self'] = cyclic;
  const deep = Array.from({ length: 70 }).reduce<unknown>((inner) => [inner], 1);
  const throwing = {
    get secret(): never {
      throw new Error('getter');
    },
  };
  const proxy = new Proxy(
    {},
    {
      ownKeys: () => {
        throw new Error('trap');
      },
    },
  );
  it.each<[string, unknown, string]>([
    ['too large', 'x'.repeat(60_000), 'too_large'],
    ['many', Array.from({ length: 1e6 }, () => 0), 'too_large'],
    ['a huge sparse list', new Array(2 ** 32 - 1), 'too_large'],
    ['too deep', deep, 'too_deep'],
    ['cyclic', cyclic, 'too_deep'],
    ['a BigInt', { n: 1n }, 'not_json'],
    ['a throwing getter', throwing, 'not_json'],
    [
      'a throwing toJSON',
      {
        toJSON: () => {
          throw new Error('x');
        },
      },
      'not_json',
    ],
    ['a throwing Proxy', proxy, 'not_json'],
  ])('puts one marker in the place of artifacts that are %s', (_what, data, reason) => {
    const result = ToolResult.wrote(target, 'ok', { artifacts: [...artifacts, { type: 'x', data }] });
    expect(boundResult(result).artifacts).toEqual([{ type: DROPPED_ARTIFACTS, data: { count: 2, reason } }]);
    expect(boundResult(result)).toMatchObject({ kind: 'wrote', content: 'ok', target });
  });

  it('keeps what JSON keeps, cut off from the original', () => {
    const data = {
      at: new Date(0),
      none: undefined,
      nan: Number.NaN,
      list: [undefined, 1],
      ['__proto__']: 2,
    };
    const kept = boundResult(ToolResult.text('x', { artifacts: [{ type: 'x', data }] })).artifacts[0]!
      .data as object;
    expect(JSON.stringify(kept)).toBe(JSON.stringify(data));
    data.list.push(777);
    expect(JSON.stringify(kept)).not.toContain('777');
  });
});

describe('the loop', () => {
  it('bounds what the model is told, with the notes after the cut', async () => {
    const tool = creator(async (_, { content }) =>
      ToolResult.wrote(await content.create('pages', {}), 'ä'.repeat(60_000)),
    );
    const h = harness([CREATE, 'Done.'], [tool]);
    h.content.hooks.afterCommit.push(() => {
      throw new TypeError('x');
    });
    expectStatus(await h.run(), 'completed');
    expect(h.told()!.length).toBeLessThan(MAX_CONTENT_BYTES + 1000);
    expect(h.told()!.split('\n').at(-1)).toContain('TypeError');
    expect(only(await h.steps(), 'write_target')).toHaveLength(1);
  });

  it('keeps a landed write landed whose artifacts cannot be stored', async () => {
    const tool = creator(() =>
      ToolResult.wrote(target, 'ok', { artifacts: [{ type: 'x', data: 1n }] as ToolArtifact[] }),
    );
    const h = harness([CREATE, 'Done.'], [tool]);
    const { writes } = expectStatus(await h.run(), 'completed');
    expect(writes).toMatchObject([{ outcome: 'landed', target: { table: 'pages', uid: 12 } }]);
  });

  it('shows the model content alone', async () => {
    const tool = reader(() => ToolResult.text('visible', { artifacts: [{ type: 'x', data: 'hidden' }] }));
    const h = harness([{ call: { tool: 'count_pages' } }, 'Done.'], [tool]);
    expectStatus(await h.run(), 'completed');
    expect(JSON.stringify(h.model.requests)).not.toContain('hidden');
    expect(JSON.stringify(await h.steps())).toContain('hidden');
  });
});
