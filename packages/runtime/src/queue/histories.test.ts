import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { ScriptedTurn } from '../index.js';
import { only, stepsOf } from '../loop/fixtures/harness.js';
import type { UnitFault } from '../store/sql/fixtures/faulty-units.js';
import { queueWorld, settle } from './fixtures/queue-world.js';

/** What may happen at one moment: before a unit arrives, after it was dealt with, or while a tool runs. */
type Mishap =
  | { readonly kind: 'none' }
  | { readonly kind: 'fault'; readonly fault: Exclude<UnitFault, 'none'> }
  /** The process is gone, as after `kill -9`. */
  | { readonly kind: 'crash' }
  /** The process stands still for so long, and another one works meanwhile. */
  | { readonly kind: 'stall'; readonly ms: number; readonly doesClockKnow: boolean }
  /** The clock of the machine is set. */
  | { readonly kind: 'clock'; readonly ms: number }
  | { readonly kind: 'cancel' };

interface History {
  readonly turns: readonly (readonly string[])[];
  readonly isDirect: boolean;
  /** One list per process; each moment of a process takes the next one, and none happens after the last. */
  readonly mishaps: readonly (readonly Mishap[])[];
}

const BUDGET_MS = 20_000;
const MOST_HISTORIES = 10_000;
const LONG = 120_000;

const mishap: fc.Arbitrary<Mishap> = fc.oneof(
  { weight: 12, arbitrary: fc.constant<Mishap>({ kind: 'none' }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('fault' as const),
      fault: fc.constantFrom('answer_lost' as const, 'unit_lost' as const, 'failed' as const),
    }),
  },
  { weight: 1, arbitrary: fc.constant<Mishap>({ kind: 'crash' }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('stall' as const),
      ms: fc.constantFrom(5_000, 29_000, 40_000, LONG),
      doesClockKnow: fc.boolean(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('clock' as const), ms: fc.constantFrom(-300_000, 300_000) }),
  },
  { weight: 1, arbitrary: fc.constant<Mishap>({ kind: 'cancel' }) },
);

const history: fc.Arbitrary<History> = fc.record({
  turns: fc.array(fc.array(fc.constantFrom('create', 'rename', 'look'), { minLength: 1, maxLength: 3 }), {
    minLength: 1,
    maxLength: 2,
  }),
  isDirect: fc.boolean(),
  mishaps: fc.array(fc.array(mishap, { maxLength: 30 }), { minLength: 1, maxLength: 4 }),
});

async function live({ turns, isDirect, mishaps }: History): Promise<void> {
  const script: ScriptedTurn[] = [
    ...turns.map((tools, turn) => ({
      call: tools.map((tool, n) => ({ tool, arguments: { n: turn * 10 + n } })),
    })),
    'Done.',
  ];
  const world = queueWorld(script);
  const waiting = mishaps.map((list) => [...list]);
  if (!isDirect) await world.start().enqueue();

  /** One process with its own misfortunes; another one that takes over has those that come next. */
  const begin = async (isFirst: boolean): Promise<void> => {
    const own = waiting.shift() ?? [];
    const process = world.start();
    let isGone = false;
    const moment = async (next: Mishap | undefined): Promise<void> => {
      switch (next?.kind) {
        case 'crash':
          isGone = true;
          process.isStopped = true;
          return new Promise(() => undefined);
        case 'stall':
          process.isStopped = true;
          await world.pass(next.ms, next.ms);
          await begin(false);
          if (next.doesClockKnow) process.clock.advance(next.ms);
          process.isStopped = false;
          return;
        case 'clock':
          world.wall.advance(next.ms);
          return;
        case 'cancel':
          await world
            .start()
            .runtime.cancel('run-1')
            .catch(() => undefined);
          return;
        case 'none':
        case 'fault':
        case undefined:
      }
    };
    process.faults.faultOf = () => {
      const next = own[0];
      if (next?.kind !== 'fault') return 'none';
      own.shift();
      return next.fault;
    };
    process.faults.beforeUnit = () => (own[0]?.kind === 'fault' ? Promise.resolve() : moment(own.shift()));
    process.faults.afterUnit = () => (own[0]?.kind === 'fault' ? Promise.resolve() : moment(own.shift()));
    world.during.effect = () => (own[0]?.kind === 'fault' ? Promise.resolve() : moment(own.shift()));

    let isDone = false;
    const stop = new AbortController();
    const working = (isFirst && isDirect ? process.run() : process.runtime.work({ signal: stop.signal }))
      .catch(() => undefined)
      .then(() => {
        isDone = true;
      });
    await settle(8);
    stop.abort();
    for (let round = 0; round < 60 && !isDone && !isGone; round += 1) {
      await settle(1);
    }
    if (isDone) await working;
  };

  await begin(true);
  while (waiting.length > 0) {
    await world.pass(LONG, LONG);
    await begin(false);
  }
  // Whatever happened, nothing happens any more, and time goes on.
  world.during.effect = () => Promise.resolve();
  world.wall.advance(600_000);
  const healer = world.start();
  let row = await world.row();
  for (
    let round = 0;
    round < 6 && (row?.['status'] === 'running' || row?.['status'] === 'queued');
    round += 1
  ) {
    await healer.drain();
    await world.pass(LONG, LONG);
    row = await world.row();
  }

  if (row === undefined) {
    // A run that was never stored has done nothing.
    expect(world.effects).toEqual([]);
    return;
  }
  const steps = await stepsOf(healer.store);
  const tools = only(steps, 'tool');
  const answered = [...tools, ...only(steps, 'denied')].map(({ callId }) => callId);
  const failures = only(steps, 'failure');

  // At most one effect of a write that writes anew each time.
  const created = world.effects.filter(({ tool }) => tool === 'create').map(({ callId }) => callId);
  expect(created).toEqual([...new Set(created)]);
  // No call is answered twice, and the trace has no gap.
  expect(answered).toEqual([...new Set(answered)]);
  expect(steps.map(({ seq }) => seq)).toEqual(steps.map((_, index) => index + 1));
  // No run is lost: it has ended, with a reason.
  expect(['completed', 'failed', 'cancelled']).toContain(row['status']);
  if (row['status'] === 'completed') {
    // No success without its audit.
    const audited = tools.map(({ callId }) => callId);
    world.effects.forEach(({ callId }) => expect(audited).toContain(callId));
    expect(await world.fences()).toEqual([]);
    expect(answered).toHaveLength(turns.flat().length);
  } else {
    expect(failures.length).toBeGreaterThan(0);
  }
  if (row['status'] === 'failed') {
    expect(row['failure_detail']).toEqual(expect.any(String));
    if (!isDirect) expect(row['dead_letter_reason']).toEqual(expect.any(String));
    // What wrote and is not in the trace is a question that stands for a person.
    const audited = tools.map(({ callId }) => callId);
    const open = new Set((await world.fences()).map((fence) => String(fence['call_id'])));
    const late = new Set((await healer.store.lateEvidence('run-1')).map(({ callId }) => callId));
    world.effects
      .filter(({ callId }) => !audited.includes(callId))
      .forEach(({ callId }) => expect(open.has(callId) || late.has(callId)).toBe(true));
  }
  await world.units.close();
}

it(
  'no history of faults, crashes, stalls and clocks writes twice, loses a run or reports an unaudited success',
  { timeout: 120_000 },
  async () => {
    let lived = 0;
    const result = await fc.check(
      fc.asyncProperty(history, async (one) => {
        await live(one);
        lived += 1;
      }),
      {
        seed: 20_260_101,
        numRuns: MOST_HISTORIES,
        plugins: [fc.interruptAfterTimeLimit(BUDGET_MS)],
        verbose: fc.VerbosityLevel.Verbose,
      },
    );
    console.info(`${String(lived)} random histories`);
    if (result.failed) throw new Error(fc.defaultReportMessage(result) ?? 'failed');
    expect(lived).toBeGreaterThan(20);
  },
);
