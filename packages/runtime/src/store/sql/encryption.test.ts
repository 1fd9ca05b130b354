import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { ToolResult } from '@toolwright/sdk';
import { createRecordingLogger, createTestClock } from '@toolwright/sdk/testing';
import { expect, it } from 'vitest';
import { creator, expectStatus, harness, only, reader } from '../../loop/fixtures/harness.js';
import { secretRedactor } from '../../secrets/secret-redactor.js';
import { transcriptModel } from '../../queue/fixtures/queue-world.js';
import { clocked } from './fixtures/clocked-dialect.js';
import { describeOnDatabases, type TestDatabases } from './fixtures/test-databases.js';
import { SqlRunStore } from './sql-run-store.js';
import { stepCodec, type Encryption } from './step-codec.js';

const KEYS = { keys: [{ id: 'k1', secret: randomBytes(32) }] };
const OTHER = { keys: [{ id: 'k2', secret: randomBytes(32) }] };
const ROTATED = { keys: [...OTHER.keys, ...KEYS.keys] };

const PROMPT = 'the prompt about Elbphilharmonie';
const TITLE = 'the title about Elbphilharmonie';
const SAID = [PROMPT, TITLE, 'the preview about Elbphilharmonie', 'the answer about Elbphilharmonie'];

const READ = { call: { tool: 'count_pages' } };
const WRITE = {
  say: 'a word about Elbphilharmonie',
  call: { tool: 'create_page', arguments: { title: TITLE } },
};
const TOOLS = [
  reader(() => ToolResult.text('the answer about Elbphilharmonie')),
  creator(undefined, { preview: () => ['the preview about Elbphilharmonie'] }),
];

/** A host on a database that others open too, each with keys of its own. */
async function world(databases: TestDatabases) {
  const { units, dialect } = await databases.take();
  const clock = createTestClock();
  const host = (encryption: Encryption, onAsked: () => void = () => undefined) => {
    const store = new SqlRunStore({
      runner: units,
      dialect: clocked(dialect, clock),
      encryption,
      time: clock,
      clock: { elapsedMs: () => clock.now().getTime() },
      logger: createRecordingLogger(),
    });
    const h = harness([], TOOLS, {
      store,
      // Each run is looked at once, by whoever looks for due ones.
      wakeUps: null,
      model: transcriptModel([READ, WRITE, 'Done.']),
      policy: {
        decide: () => {
          onAsked();
          return 'pause';
        },
      },
    });
    return { ...h, store, request: () => h.runtime.run({ actor: { id: 'anna' }, prompt: PROMPT }) };
  };
  const rows = async () => units.read({ sql: 'select * from steps order by seq', parameters: [] });
  const run = async () => (await units.read({ sql: 'select * from runs', parameters: [] }))[0];
  return { units, clock, host, rows, run };
}

describeOnDatabases('a store with keys', (databases) => {
  it('keeps nothing that was said in the clear, and resumes from it in another process', async () => {
    const { host, rows } = await world(databases);
    const { pauses } = expectStatus(await host(KEYS).request(), 'paused');
    expect(JSON.stringify(await rows())).not.toContain('Elbphilharmonie');

    const next = host(KEYS);
    const card = await next.runtime.card(pauses[0]!, { id: 'ben' });
    expect(card).toMatchObject({ preview: { lines: [SAID[2]] }, input: { title: TITLE } });
    await next.runtime.approve(pauses[0]!, { id: 'ben' });
    expectStatus(await next.runtime.resume('run-1'), 'completed');
    expect(JSON.stringify(await rows())).not.toContain('Elbphilharmonie');
    expect(only(await next.steps(), 'write_target')).toHaveLength(1);
  });

  it('keeps readable which call of which tool ended how, and what it wrote', async () => {
    const { host, rows } = await world(databases);
    const h = host(KEYS);
    const { pauses } = expectStatus(await h.request(), 'paused');
    await h.runtime.decline(pauses[0]!, { id: 'ben' }, 'not Elbphilharmonie');
    expectStatus(await h.runtime.resume('run-1'), 'completed');
    const traces = (await rows()).map(({ trace }) => JSON.parse(String(trace)) as Record<string, unknown>);
    expect(traces).toMatchObject([
      { kind: 'request' },
      { kind: 'model', calls: [{ tool: 'count_pages', effect: 'read_only' }] },
      { kind: 'tool', tool: 'count_pages', result: { kind: 'text', content: '(sealed)' } },
      { kind: 'model', calls: [{ tool: 'create_page', arguments: '(sealed)' }] },
      { kind: 'approval', phase: 'requested', tool: 'create_page' },
      { kind: 'approval', phase: 'declined', by: 'ben', reason: '(sealed)' },
      { kind: 'denied', reason: 'declined', answer: '(sealed)' },
      { kind: 'model' },
    ]);
    expect(JSON.stringify(traces)).not.toContain('Elbphilharmonie');
  });

  it.each<[string, Encryption]>([
    ['another key', OTHER],
    ['no key', 'none'],
    ['another secret under the same id', { keys: [{ id: 'k1', secret: randomBytes(32) }] }],
  ])('says so, and leaves a paused run as it was, when it is opened with %s', async (_what, wrong) => {
    const w = await world(databases);
    const { pauses } = expectStatus(await w.host(KEYS).request(), 'paused');
    const before = await w.run();
    const h = w.host(wrong);
    const code = 'WRONG_KEY';
    await expect(h.runtime.resume('run-1')).rejects.toMatchObject({ code });
    await expect(h.runtime.approve(pauses[0]!, { id: 'ben' })).rejects.toMatchObject({ code });
    await expect(h.runtime.trace('run-1')).rejects.toMatchObject({ code });
    // Only the epoch counts on: the run was taken and given back.
    const changed = { epoch: expect.anything() as unknown, updated_at: expect.anything() as unknown };
    expect(await w.run()).toEqual({ ...before, ...changed });

    const right = w.host(KEYS);
    await right.runtime.approve(pauses[0]!, { id: 'ben' });
    expectStatus(await right.runtime.resume('run-1'), 'completed');
  });

  it('leaves a queued run that it cannot read to others, and works on those that it can', async () => {
    const w = await world(databases);
    const right = w.host(KEYS);
    await right.runtime.enqueue({ actor: { id: 'anna' }, prompt: PROMPT, runId: 'sealed' });
    const stop = new AbortController();
    const wrong = w.host(OTHER, () => {
      stop.abort();
    });
    await wrong.runtime.enqueue({ actor: { id: 'anna' }, prompt: PROMPT, runId: 'own' });
    // It ends once it drives the run that it can read.
    await wrong.runtime.work({ signal: stop.signal, concurrency: 1 });
    expect((await wrong.store.read('own'))?.status).toBe('paused');
    expect(await right.store.read('sealed')).toMatchObject({
      status: 'queued',
      steps: [{ kind: 'request' }],
    });
    expect(
      await w.units.read({ sql: "select requeues from runs where id = 'sealed'", parameters: [] }),
    ).toEqual([{ requeues: 0 }]);
    expect(
      wrong.logger.entries.filter(({ message }) => message.includes('could not be taken')),
    ).toMatchObject([{ fields: { error: 'WRONG_KEY' } }]);
  });

  it('does not take a row in the clear for a sealed one', async () => {
    const w = await world(databases);
    expectStatus(await w.host('none').request(), 'paused');
    await expect(w.host(KEYS).runtime.resume('run-1')).rejects.toMatchObject({
      code: 'WRONG_KEY',
      message: expect.stringContaining('rotate-key'),
    });
  });

  it('does not take the sealed text of one step for another', async () => {
    const w = await world(databases);
    expectStatus(await w.host(KEYS).request(), 'paused');
    const swap = 'update steps set sealed = (select sealed from steps where seq = 3) where seq = 2';
    await w.units.run([{ sql: swap, parameters: [], rows: 1 }]);
    await expect(w.host(KEYS).runtime.resume('run-1')).rejects.toMatchObject({ code: 'WRONG_KEY' });
    expect((await w.run())?.['status']).toBe('paused');
  });

  it('goes on with an older key beside the newest', async () => {
    const w = await world(databases);
    const { pauses } = expectStatus(await w.host(KEYS).request(), 'paused');
    const rotated = w.host(ROTATED);
    await rotated.runtime.approve(pauses[0]!, { id: 'ben' });
    expectStatus(await rotated.runtime.resume('run-1'), 'completed');
    await expect(w.host(KEYS).store.read('run-1')).rejects.toMatchObject({ code: 'WRONG_KEY' });
  });

  it.each([undefined, 'yes', null, {}])('is refused when its encryption is %j', (encryption) => {
    expect(() => stepCodec(encryption as never, secretRedactor())).toThrow(
      expect.objectContaining({ code: 'INVALID_CONFIGURATION', message: expect.stringContaining("'none'") }),
    );
  });
});

describeOnDatabases('a store without encryption', (databases) => {
  it('has the secrets of arguments only where the exact arguments stand', async () => {
    const w = await world(databases);
    const secret = 'AKIAIOSFODNN7ABCDEFG';
    const h = w.host('none');
    const runtime = harness([], TOOLS, {
      store: h.store,
      model: transcriptModel([{ call: { tool: 'create_page', arguments: { title: secret } } }, 'Done.']),
    }).runtime;
    expectStatus(await runtime.run({ actor: { id: 'anna' }, prompt: `use ${secret}` }), 'completed');
    const rows = await w.rows();
    expect(rows.filter(({ trace }) => String(trace).includes(secret))).toEqual([]);
    expect(rows.filter(({ sealed }) => String(sealed).includes(secret)).map(({ kind }) => kind)).toEqual([
      'model',
    ]);
    expect(only(await h.steps(), 'model')[0]?.calls[0]?.arguments).toContain(secret);
    expect(JSON.stringify(await runtime.trace('run-1'))).not.toContain(secret);
  });
});

describeOnDatabases('encryption at rest', (databases) => {
  it('leaves nothing that was said in the database', async () => {
    const { units, dialect, location } = await databases.create();
    const store = new SqlRunStore({
      runner: units,
      dialect,
      encryption: KEYS,
      logger: createRecordingLogger(),
    });
    const h = harness([READ, WRITE, 'Done.'], TOOLS, { store, policy: { decide: () => 'pause' } });
    const request = { actor: { id: 'anna' }, prompt: PROMPT };
    expectStatus(await h.runtime.run(request), 'paused');

    expect((await store.read('run-1'))?.steps.length).toBeGreaterThan(4);
    for (const table of ['runs', 'steps', 'pending_effects', 'approvals', 'late_evidence']) {
      const rows = await units.read({ sql: `select * from ${table}`, parameters: [] });
      expect(JSON.stringify(rows)).not.toContain('Elbphilharmonie');
    }
    if ('file' in location) {
      for (const file of [location.file, `${location.file}-wal`]) {
        expect((await readFile(file, 'latin1')).includes('Elbphilharmonie')).toBe(false);
      }
    }
  });
});
