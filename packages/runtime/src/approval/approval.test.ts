import { ToolResult, WriteTarget } from '@toolwright/sdk';
import { describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { alwaysPause, anyone, anyoneElse, createRuntime, type Pause, type RuntimeOptions } from '../index.js';
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
} from '../loop/fixtures/harness.js';

const BEN = { id: 'ben' };
const pausing = { policy: alwaysPause, approvers: anyoneElse } satisfies Partial<RuntimeOptions>;

async function paused(
  script = [CREATE, 'Done.'],
  tools = [creator()],
  options: Partial<RuntimeOptions> = {},
) {
  const h = harness(script, tools, { ...pausing, ...options });
  const { pauses } = expectStatus(await h.run(), 'paused');
  return { ...h, pauses, pause: pauses[0]! };
}

describe('a declared write', () => {
  it('pauses by default, and runs once it is approved', async () => {
    const execute = vi.fn(() => ToolResult.wrote(WriteTarget.of('pages', 1), 'ok'));
    const h = await paused([CREATE, 'Done.'], [creator(execute)]);
    expect(execute).not.toHaveBeenCalled();
    expect((await h.store.read('run-1'))?.status).toBe('paused');
    await h.runtime.approve(h.pause, BEN);
    expectStatus(await h.runtime.resume('run-1'), 'completed');
    expect(execute).toHaveBeenCalledOnce();
    const steps = await h.steps();
    expect(kindsOf(steps)).toEqual([
      'request',
      'model',
      'approval:requested',
      'approval:approved',
      'tool',
      'write_target',
      'model',
    ]);
    expect(only(steps, 'approval')[1]).toMatchObject({ by: 'ben', digest: h.pause.digest });
  });

  it('never runs once it is declined, and the model is told why', async () => {
    const execute = vi.fn(() => ToolResult.wrote(WriteTarget.of('pages', 1), 'ok'));
    const h = await paused([CREATE, 'Done.'], [creator(execute)]);
    await h.runtime.decline(h.pause, BEN, 'wrong site');
    const result = expectStatus(await h.runtime.resume('run-1'), 'completed');
    expect(execute).not.toHaveBeenCalled();
    expect(result.writes).toEqual([]);
    expect(only(await h.steps(), 'denied')).toEqual([expect.objectContaining({ reason: 'declined' })]);
    expect(h.told()).toContain('declined');
    expect(h.told()).toContain('wrong site');
  });

  it('does not pause when the policy lets it proceed for this tool, actor and run', async () => {
    const decide = vi.fn(() => 'proceed' as const);
    const h = harness([CREATE, 'Done.'], [creator()], { policy: { decide } });
    expectStatus(await h.run(), 'completed');
    expect(decide).toHaveBeenCalledWith({
      tool: 'create_page',
      effect: 'non_idempotent_write',
      isDestructive: true,
      actor: ACTOR,
      runId: 'run-1',
      correlationId: 'run-1',
      callId: 'call_1',
      input: { title: 'News' },
    });
  });

  it.each([
    ['throws', () => Promise.reject(new Error('down'))],
    ['answers with something else', () => true as never],
    ['answers with nothing', () => undefined as never],
  ])('pauses when the policy %s', async (_what, decide) => {
    const h = harness([CREATE], [creator()], { policy: { decide } });
    expectStatus(await h.run(), 'paused');
  });

  it('runs what was parsed and previewed, whatever the preview and the policy do to their copies', async () => {
    const ran: unknown[] = [];
    const tool = creator(
      (input) => {
        ran.push(structuredClone(input));
        return ToolResult.wrote(WriteTarget.of('pages', 1), 'ok');
      },
      {
        preview: (input: { title: string }) => {
          input.title = 'changed by the preview';
          return ['x'];
        },
      },
    );
    const script = [{ call: { tool: 'create_page', arguments: { title: '  News  ' } } }, 'Done.'];
    const policy = {
      decide: ({ input }: { input: object }) => {
        Object.assign(input, { title: 'changed by the policy' });
        return 'pause' as const;
      },
    };
    const h = await paused(script, [tool], { policy });
    await h.runtime.approve(h.pause, BEN);
    expectStatus(await h.runtime.resume('run-1'), 'completed');
    expect(ran).toEqual([{ title: 'News' }]);
  });

  it('is parsed once, so that a default which differs each time is the one that was approved', async () => {
    let parses = 0;
    const ran: unknown[] = [];
    const tool = creator(
      (input) => {
        ran.push(input);
        return ToolResult.wrote(WriteTarget.of('pages', 1), 'ok');
      },
      {
        input: z.object({ title: z.string().default(() => `Untitled ${String((parses += 1))}`) }),
        preview: ({ title }: { title: string }) => [title],
      },
    );
    const h = await paused([{ call: { tool: 'create_page' } }, 'Done.'], [tool]);
    const card = await h.runtime.card(h.pause, BEN);
    await h.runtime.approve(h.pause, BEN);
    expectStatus(await h.runtime.resume('run-1'), 'completed');
    expect(ran).toEqual([{ title: card.preview?.lines[0] }]);
  });
});

describe('several calls in one turn', () => {
  it('are all decided about before any of them runs, reads included', async () => {
    const order: string[] = [];
    const tools = [
      reader(() => {
        order.push('read');
        return ToolResult.text('3');
      }),
      creator(({ title }) => {
        order.push(`create ${title}`);
        return ToolResult.wrote(WriteTarget.of('pages', 1), 'ok');
      }),
      renamer(() => {
        order.push('rename');
        return ToolResult.wrote(WriteTarget.of('pages', 12), 'ok');
      }),
    ];
    const script = [
      {
        call: [
          { tool: 'count_pages' },
          { tool: 'create_page', arguments: { title: 'A' } },
          { tool: 'rename_page', arguments: { uid: 12, title: 'B' } },
        ],
      },
      'Done.',
    ];
    const h = await paused(script, tools);
    expect(h.pauses.map(({ tool }) => tool)).toEqual(['create_page', 'rename_page']);
    await h.runtime.approve(h.pauses[1]!, BEN);
    const again = expectStatus(await h.runtime.resume('run-1'), 'paused');
    expect(again.pauses.map(({ callId }) => callId)).toEqual(['call_2']);
    expect(order).toEqual([]);
    await h.runtime.decline(h.pauses[0]!, BEN);
    expectStatus(await h.runtime.resume('run-1'), 'completed');
    expect(order).toEqual(['read', 'rename']);
  });

  it('never run a sibling twice when another one pauses in the middle of the turn', async () => {
    const count = vi.fn(() => ToolResult.text('3'));
    let creates = 0;
    const tool = creator(() => {
      creates += 1;
      return ToolResult.error('who knows');
    });
    const same = { tool: 'create_page', arguments: { title: 'A' } };
    const script = [{ call: [{ tool: 'count_pages' }, same, same] }, 'Done.'];
    const h = await paused(script, [reader(count), tool]);
    expect(h.pauses.map(({ reasons }) => reasons)).toEqual([['policy'], ['repeats_write']]);
    for (const pause of h.pauses) await h.runtime.approve(pause, BEN);
    const again = expectStatus(await h.runtime.resume('run-1'), 'paused');
    expect(again.pauses).toEqual([
      expect.objectContaining({ callId: 'call_3', reasons: ['repeats_unknown'] }),
    ]);
    expect([count.mock.calls.length, creates]).toEqual([1, 1]);
    await h.runtime.decline(again.pauses[0]!, BEN);
    expectStatus(await h.runtime.resume('run-1'), 'completed');
    expect([count.mock.calls.length, creates]).toEqual([1, 1]);
  });
});

describe('a call that repeats one', () => {
  const twice = [CREATE, CREATE, 'Done.'];

  it('pauses after an unknown outcome even if the policy says otherwise, and the card says why', async () => {
    const h = harness(twice, [creator(() => ToolResult.error('x'))]);
    const result = expectStatus(await h.run(), 'paused');
    expect(result.writes).toMatchObject([{ outcome: 'unknown' }]);
    const card = await h.runtime.card(result.pauses[0]!, BEN);
    expect(card.reasons).toEqual(['repeats_unknown']);
    expect(card.why.join()).toContain('without a known outcome');
  });

  it('is found by its parsed arguments, however the model wrote them', async () => {
    const script = [
      { call: { tool: 'rename_page', arguments: '{"uid":12,"title":"A"}' } },
      { call: { tool: 'rename_page', arguments: ' {"title" : "A", "uid":12.0}' } },
      'Done.',
    ];
    const h = harness(script, [renamer(() => ToolResult.error('x'))]);
    expect(expectStatus(await h.run(), 'paused').pauses[0]).toMatchObject({ reasons: ['repeats_unknown'] });
  });

  it('pauses when the write lands anew each time, and not when it converges', async () => {
    const creating = harness(twice, [creator()]);
    expect(expectStatus(await creating.run(), 'paused').pauses[0]).toMatchObject({
      reasons: ['repeats_write'],
    });
    const rename = { call: { tool: 'rename_page', arguments: { uid: 12, title: 'A' } } };
    const renaming = harness([rename, rename, 'Done.'], [renamer()]);
    expectStatus(await renaming.run(), 'completed');
  });

  it('does not pause when its arguments differ', async () => {
    const other = { call: { tool: 'create_page', arguments: { title: 'Other' } } };
    const h = harness([CREATE, other, 'Done.'], [creator(() => ToolResult.error('x'))]);
    expectStatus(await h.run(), 'completed');
  });
});

describe('an approval', () => {
  it('is refused a second time, and names who decided', async () => {
    const h = await paused();
    await h.runtime.approve(h.pause, BEN);
    await expect(h.runtime.approve(h.pause, { id: 'cleo' })).rejects.toMatchObject({
      code: 'APPROVAL_NOT_PENDING',
      message: expect.stringContaining('approved by ben'),
    });
    await expect(h.runtime.decline(h.pause, BEN)).rejects.toMatchObject({ code: 'APPROVAL_NOT_PENDING' });
  });

  it('wins only once when two come at the same time', async () => {
    const h = await paused();
    const both = await Promise.allSettled([
      h.runtime.approve(h.pause, BEN),
      h.runtime.decline(h.pause, { id: 'cleo' }),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(only(await h.steps(), 'approval')).toHaveLength(2);
  });

  it('is refused for another digest, such as that of a stale card', async () => {
    const h = await paused();
    await expect(h.runtime.approve({ ...h.pause, digest: 'x' }, BEN)).rejects.toMatchObject({
      code: 'APPROVAL_MISMATCH',
    });
  });

  it('is void when the stored call is not the one that was approved', async () => {
    const execute = vi.fn(() => ToolResult.wrote(WriteTarget.of('pages', 1), 'ok'));
    const h = await paused([CREATE, 'Done.'], [creator(execute)]);
    await h.runtime.approve(h.pause, BEN);
    const stored = (await h.store.read('run-1'))!;
    const tampered = JSON.parse(JSON.stringify(stored).replaceAll('News', 'Evil')) as typeof stored;
    const other = harness(['Done.'], [creator(execute)], pausing);
    other.store.restore(tampered);
    expectStatus(await other.runtime.resume('run-1'), 'completed');
    expect(execute).not.toHaveBeenCalled();
    expect(only(await other.steps(), 'denied')[0]).toMatchObject({ reason: 'approval_void' });
  });

  it.each([
    ['the plugin has another version', { version: '2.0.0' }, {}],
    ['the schema is another one', { version: '1.0.0' }, { input: z.object({ title: z.string().max(9) }) }],
    ['the effect is another one', { version: '1.0.0' }, { effect: 'idempotent_write' }],
  ])('does not run the call when %s at the resume', async (_what, plugin, change) => {
    const execute = vi.fn(() => ToolResult.wrote(WriteTarget.of('pages', 1), 'ok'));
    const before = { name: 'pages', version: '1.0.0', tools: [creator(execute)] };
    const h = harness([CREATE], [], { ...pausing, plugins: [before] });
    const { pauses } = expectStatus(await h.run(), 'paused');
    await h.runtime.approve(pauses[0]!, BEN);
    const after = { name: 'pages', ...plugin, tools: [creator(execute, change)] };
    const next = harness(['Done.'], [], { ...pausing, plugins: [after], store: h.store });
    expectStatus(await next.runtime.resume('run-1'), 'completed');
    expect(execute).not.toHaveBeenCalled();
    expect(only(await h.steps(), 'denied')[0]).toMatchObject({ reason: 'tool_changed' });
  });

  it('does not run a tool that is not installed any more', async () => {
    const h = await paused();
    await h.runtime.approve(h.pause, BEN);
    const next = harness(['Done.'], [], { ...pausing, store: h.store });
    expectStatus(await next.runtime.resume('run-1'), 'completed');
    expect(only(await h.steps(), 'denied')[0]).toMatchObject({ reason: 'not_offered' });
  });

  it.each<[string, Partial<RuntimeOptions>, { id: string }]>([
    ['by default to the run’s own actor', { approvers: anyoneElse }, ACTOR],
    ['to a person whom the port refuses', { approvers: { mayApprove: () => false } }, BEN],
    ['when the port throws', { approvers: { mayApprove: () => Promise.reject(new Error('ldap')) } }, BEN],
    ['when the port answers with no boolean', { approvers: { mayApprove: () => 'yes' as never } }, BEN],
    ['to a person without an id', { approvers: anyone }, { id: '' }],
  ])('is not allowed %s', async (_what, options, person) => {
    const h = await paused([CREATE, 'Done.'], [creator()], options);
    await expect(h.runtime.approve(h.pause, person)).rejects.toMatchObject({ code: 'APPROVAL_NOT_ALLOWED' });
    expect(only(await h.steps(), 'approval')).toHaveLength(1);
  });

  it('is allowed to the run’s own actor where the host says so', async () => {
    const h = await paused([CREATE, 'Done.'], [creator()], { approvers: anyone });
    await h.runtime.approve(h.pause, ACTOR);
    expectStatus(await h.runtime.resume('run-1'), 'completed');
  });

  it('expires: it is refused then, and the resume answers the call as not run', async () => {
    const execute = vi.fn(() => ToolResult.wrote(WriteTarget.of('pages', 1), 'ok'));
    const h = await paused([CREATE, 'Done.'], [creator(execute)], { limits: { pauseExpiresMs: 1000 } });
    expect(h.pause.expiresAt).toBe('2026-01-01T00:00:01.000Z');
    h.clock.advance(1000);
    await expect(h.runtime.approve(h.pause, BEN)).rejects.toMatchObject({ code: 'APPROVAL_EXPIRED' });
    expectStatus(await h.runtime.resume('run-1'), 'completed');
    expect(execute).not.toHaveBeenCalled();
    expect(only(await h.steps(), 'denied')[0]).toMatchObject({ reason: 'approval_expired' });
  });

  it('is refused for a run or a call that does not wait', async () => {
    const h = await paused();
    const at = (change: Partial<Pause>) => h.runtime.approve({ ...h.pause, ...change }, BEN);
    await expect(at({ runId: 'nope' })).rejects.toMatchObject({ code: 'RUN_NOT_FOUND' });
    await expect(at({ callId: 'nope' })).rejects.toMatchObject({ code: 'APPROVAL_NOT_PENDING' });
    await h.runtime.cancel('run-1');
    await expect(at({})).rejects.toMatchObject({ code: 'APPROVAL_NOT_PENDING' });
  });
});

describe('the card of a pause', () => {
  it('shows preview and arguments to a viewer whom the tool lets see them', async () => {
    const h = await paused();
    await expect(h.runtime.card(h.pause, BEN)).resolves.toMatchObject({
      tool: 'create_page',
      effect: 'non_idempotent_write',
      actor: ACTOR,
      preview: { lines: ['Create "News"'], isCut: false },
      input: { title: 'News' },
      previewedAt: '2026-01-01T00:00:00.000Z',
      why: expect.arrayContaining([expect.stringContaining('snapshot')]),
    });
  });

  it.each([
    ['nobody looks', creator(), undefined],
    ['the tool says no', creator(undefined, { mayViewPreview: () => false }), BEN],
    ['the tool gives no answer', creator(undefined, { mayViewPreview: undefined }), BEN],
    ['the tool answers with no boolean', creator(undefined, { mayViewPreview: () => 1 }), BEN],
    [
      'the question throws',
      creator(undefined, {
        mayViewPreview: () => {
          throw new Error('x');
        },
      }),
      BEN,
    ],
  ])('withholds both when %s', async (_what, tool, viewer) => {
    const h = await paused([CREATE, 'Done.'], [tool]);
    await expect(h.runtime.card(h.pause, viewer)).resolves.toMatchObject({ preview: null, input: null });
    expect(JSON.stringify(await h.runtime.pauses('run-1'))).not.toContain('News');
    const [request] = only(await h.runtime.trace('run-1', viewer), 'approval');
    expect(request).toMatchObject({ preview: { lines: ['(withheld)'] } });
  });

  it('is withheld when the tool is not installed any more', async () => {
    const h = await paused();
    const next = createRuntime({ model: h.model, store: h.store });
    await expect(next.card(h.pause, BEN)).resolves.toMatchObject({ preview: null, input: null });
  });

  it('names the class when the preview throws, and says so when it does not answer in time', async () => {
    const throwing = creator(undefined, {
      preview: () => {
        throw new RangeError('secret');
      },
    });
    const h = await paused([CREATE, 'Done.'], [throwing]);
    expect((await h.runtime.card(h.pause, BEN)).preview?.lines).toEqual(['The preview failed (RangeError).']);

    const stuck = creator(undefined, { preview: () => new Promise(() => undefined) });
    const late = harness([CREATE, 'Done.'], [stuck], { ...pausing, limits: { previewTimeoutMs: 20 } });
    const running = late.run();
    await late.pass(20);
    const { pauses } = expectStatus(await running, 'paused');
    expect((await late.runtime.card(pauses[0]!, BEN)).preview?.lines).toEqual([
      'The preview did not answer in time.',
    ]);
  });

  it('is made with a context that cannot write, on behalf of the run’s actor', async () => {
    let seen: unknown;
    const tool = creator(undefined, {
      preview: async (_: unknown, context: { actor: unknown; content: object }) => {
        seen = [context.actor, Object.keys(context.content).sort()];
        return ['x'];
      },
    });
    await paused([CREATE, 'Done.'], [tool]);
    expect(seen).toEqual([ACTOR, ['find', 'read']]);
  });
});
