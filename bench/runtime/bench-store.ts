import { SqlRunStore, openDatabase, type DatabaseOptions, type Step } from '@toolwright/runtime';
import { expectSame, measure, type ServerCpu, type Side } from './measure.js';

const STEPS = 3;
const ENQUEUED_AT_ONCE = 256;
const at = '2026-01-01T00:00:00.000Z';
/** As long as an answer of a tool is. */
const CONTENT = 'Created the page "News" below "Home". '.repeat(5);

/** Claims each run, drives three writes behind their fences, and settles it. */
export async function openStoreSide(
  place: DatabaseOptions,
  atOnce: number,
  serverCpu: ServerCpu,
): Promise<Side> {
  const database = await openDatabase(place);
  const store = new SqlRunStore({ ...database, encryption: 'none' });
  const effects = new Map<string, number>();
  let done = 0;

  const drive = async (runId: string): Promise<void> => {
    const journal = await store.claimQueued(runId);
    if (journal === null) throw new Error(`${runId} could not be claimed.`);
    for (let call = 0; call < STEPS; call += 1) {
      const callId = `call_${call}`;
      const until = new Date(Date.now() + 60_000);
      const fence = await journal.beforeWrite({
        callId,
        tool: 'create',
        effect: 'non_idempotent_write',
        until,
      });
      if (fence?.isHeld() !== true) throw new Error(`${runId} got no fence.`);
      effects.set(`${runId} ${callId}`, (effects.get(`${runId} ${callId}`) ?? 0) + 1);
      if (!(await journal.record(stepsOf(callId, 2 + call * 2))))
        throw new Error(`${runId} was not recorded.`);
    }
    if (!(await journal.record([answer(2 + STEPS * 2)], 'completed')))
      throw new Error(`${runId} was not settled.`);
  };
  const enqueue = (runId: string): Promise<void> =>
    store.enqueue({ runId, correlationId: runId, actor: { id: 'bench' }, createdAt: at }, [request], null);

  return {
    async round(runs) {
      const ids = Array.from({ length: runs }, (_, index) => `run-${done + index}`);
      // Not measured: whoever enqueues is another process.
      for (let from = 0; from < runs; from += ENQUEUED_AT_ONCE) {
        await Promise.all(ids.slice(from, from + ENQUEUED_AT_ONCE).map(enqueue));
      }
      const measured = await measure(ids, atOnce, drive, serverCpu);
      done += runs;
      return measured;
    },
    async close() {
      const read = (sql: string) => database.runner.read({ sql, parameters: [] });
      expectSame('Runs by state', await read('select status, count(*) as n from runs group by status'), [
        { status: 'completed', n: done },
      ]);
      expectSame('Steps', await read('select count(*) as n from steps'), [{ n: done * (2 + STEPS * 2) }]);
      expectSame('Fences that stand', await read('select count(*) as n from pending_effects'), [{ n: 0 }]);
      expectSame('Effects', [effects.size, new Set(effects.values()).size], [done * STEPS, 1]);
      await database.runner.close();
    },
  };
}

const request: Step = {
  kind: 'request',
  messages: [{ role: 'user', content: 'Create three pages.' }],
  seq: 1,
  at,
};

function stepsOf(callId: string, seq: number): readonly Step[] {
  const target = { table: 'pages', uid: seq };
  return [
    {
      kind: 'tool',
      callId,
      tool: 'create',
      effect: 'non_idempotent_write',
      ending: 'answered',
      outcome: 'landed',
      result: { kind: 'wrote', content: CONTENT, target, artifacts: null },
      seq,
      at,
    } as unknown as Step,
    { kind: 'write_target', callId, tool: 'create', ...target, seq: seq + 1, at } as unknown as Step,
  ];
}

function answer(seq: number): Step {
  return { kind: 'model', round: 1, content: 'Done.', calls: [], finish: 'stop', seq, at } as unknown as Step;
}
