import { ToolResult, WriteTarget } from '@toolwright/sdk';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { MemoryRunStore, alwaysPause, type ScriptedTurn, type StoredRun } from '../index.js';
import {
  ACTOR,
  CREATE,
  creator,
  expectStatus,
  harness,
  kindsOf,
  only,
  reader,
  renamer,
} from './fixtures/harness.js';

const NAMES: Record<string, string> = { read: 'count_pages', rename: 'rename_page', create: 'create_page' };

/** Continues a copy of a stored run, cut after so many of its steps, in another process so to say. */
function continued(
  stored: StoredRun,
  steps: number,
  script: readonly ScriptedTurn[],
  tools: Parameters<typeof harness>[1],
) {
  const store = new MemoryRunStore();
  const copy = JSON.parse(JSON.stringify(stored)) as StoredRun;
  store.restore({ ...copy, status: 'paused', steps: copy.steps.slice(0, steps) });
  return { ...harness(script, tools, { store }), store };
}

describe('a run', () => {
  it('continues from plain JSON in another process', async () => {
    const first = harness([CREATE], [creator()], { policy: alwaysPause });
    const { pauses } = expectStatus(await first.run(), 'paused');
    await first.runtime.approve(pauses[0]!, { id: 'ben' });
    const next = continued((await first.store.read('run-1'))!, 99, ['Done.'], [creator()]);
    expectStatus(await next.runtime.resume('run-1'), 'completed');
    expect(next.model.requests[0]!.messages).toEqual([
      { role: 'user', content: 'do it' },
      {
        role: 'assistant',
        content: '',
        calls: [{ id: 'call_1', name: 'create_page', arguments: '{"title":"News"}' }],
      },
      { role: 'tool', callId: 'call_1', content: 'Created "News".' },
    ]);
  });

  it('is not taken in again over what has happened since', async () => {
    const h = harness([CREATE], [creator()], { policy: alwaysPause });
    await h.run();
    const stale = (await h.store.read('run-1'))!;
    expect(() => h.store.restore(stale)).toThrow(expect.objectContaining({ code: 'RUN_ALREADY_EXISTS' }));
  });

  it('is resumed by one of two at the same time', async () => {
    const execute = vi.fn(() => ToolResult.wrote(WriteTarget.of('pages', 1), 'ok'));
    const h = harness([CREATE, 'Done.'], [creator(execute)], { policy: alwaysPause });
    const { pauses } = expectStatus(await h.run(), 'paused');
    await h.runtime.approve(pauses[0]!, { id: 'ben' });
    const both = await Promise.allSettled([h.runtime.resume('run-1'), h.runtime.resume('run-1')]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(execute).toHaveBeenCalledOnce();
  });

  it('says what it is when it cannot be resumed', async () => {
    const h = harness(['Done.'], []);
    await h.run();
    await expect(h.runtime.resume('run-1')).rejects.toMatchObject({
      code: 'RUN_NOT_RESUMABLE',
      message: expect.stringContaining('completed'),
    });
    await expect(h.runtime.resume('nope')).rejects.toMatchObject({ code: 'RUN_NOT_FOUND' });
    await expect(h.runtime.run({ actor: ACTOR, prompt: 'x', runId: 'run-1' })).rejects.toMatchObject({
      code: 'RUN_ALREADY_EXISTS',
    });
  });

  it('never runs a call again that has a stored step, wherever it was cut', async () => {
    const scripts = fc.array(
      fc.array(fc.constantFrom('read', 'rename', 'create', 'unknown', 'broken'), {
        minLength: 1,
        maxLength: 4,
      }),
      { minLength: 1, maxLength: 3 },
    );
    await fc.assert(
      fc.asyncProperty(scripts, fc.nat(), async (turns, at) => {
        const ran: string[] = [];
        const note =
          (result: ToolResult) =>
          (_: unknown, { callId }: { callId: string }) => {
            ran.push(callId);
            return result as never;
          };
        const tools = [
          reader(note(ToolResult.text('3')) as never),
          renamer(note(ToolResult.wrote(WriteTarget.of('pages', 12), 'ok'))),
          creator(note(ToolResult.wrote(WriteTarget.of('pages', 1), 'ok'))),
        ];
        let number = 0;
        const script: ScriptedTurn[] = turns.map((calls) => ({
          call: calls.map((call) => {
            number += 1;
            const title = `T${String(number)}`;
            return {
              tool: NAMES[call] ?? call,
              arguments: call === 'rename' ? { uid: 12, title } : call === 'create' ? { title } : {},
              id: `c${String(number)}`,
            };
          }),
        }));
        const whole = harness([...script, 'Done.'], tools);
        expectStatus(await whole.run(), 'completed');
        const all = [...ran];
        const stored = (await whole.store.read('run-1'))!;
        let cut = 1 + (at % stored.steps.length);
        // A unit is stored whole: a call and the record it wrote are never cut apart.
        while (stored.steps[cut]?.kind === 'write_target') cut += 1;
        const before = only(stored.steps.slice(0, cut), 'tool').map(({ callId }) => callId);
        const asked = only(stored.steps.slice(0, cut), 'model').length;
        ran.length = 0;
        const next = continued(stored, cut, [...script, 'Done.'].slice(asked), tools);
        expectStatus(await next.runtime.resume('run-1'), 'completed');
        expect(ran).toEqual(all.slice(before.length));
        expect(kindsOf(await next.steps())).toEqual(kindsOf(stored.steps));
        expect(next.model.requests.at(-1)?.messages ?? []).toEqual(
          next.model.requests.length === 0 ? [] : whole.model.requests.at(-1)!.messages,
        );
      }),
      { numRuns: 150 },
    );
  });
});
