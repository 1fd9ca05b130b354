/**
 * What deriving outcomes costs, for 1,000 and for 10,000 written records: milliseconds and CPU per target, and how much more
 * memory is alive at most while it runs, measured after a collection each few hundred targets. The memory must not
 * grow with the number of targets; more than the bar ends with exit code 1, as does a wrong outcome.
 *
 * Of each five records a person releases one, edits and releases one, deletes one, edits one without a release, and leaves
 * one alone. The second derivation looks only at what is still open.
 *
 * `pnpm bench:outcome [memory|payload] [sizes…]`. Needs a build, and Node with --expose-gc.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { WriteTarget } from '@toolwright/sdk';
import {
  createRuntime,
  openRunStore,
  scriptedModel,
  type RunStore,
  type StepBody,
} from '@toolwright/runtime';
import { expectSame } from '../runtime/measure.js';
import { openInMemory, type BenchContent, type OpenBenchContent } from './bench-content.js';
import { openPayload } from './payload-content.js';
import { SampledHistory } from './sampled-history.js';

const CONTENTS: Readonly<Record<string, OpenBenchContent>> = {
  memory: openInMemory,
  payload: openPayload,
};
/** Most of the live heap that the larger size may take more than the smaller one, in bytes. */
const MAX_GROWTH = 4 * 1024 * 1024;
const CALLS_PER_RUN = 100;
const MIB = 1024 * 1024;

const [name = 'memory', ...given] = process.argv.slice(2);
const sizes = given.length === 0 ? [1_000, 10_000] : given.map(Number);
const openContent = CONTENTS[name];
const { gc } = globalThis;
if (openContent === undefined || gc === undefined || sizes.some((size) => !(size >= 5 && size % 5 === 0))) {
  throw new Error(
    `Expected one of ${Object.keys(CONTENTS).join(', ')}, sizes that 5 divides, and --expose-gc.`,
  );
}

const peaks: number[] = [];
for (const size of sizes) {
  const folder = await mkdtemp(path.join(tmpdir(), 'toolwright-bench-outcome-'));
  const content = await openContent();
  const store = await openRunStore({ file: path.join(folder, 'runs.db'), encryption: 'none' });
  try {
    const writing = performance.now();
    await writeAll(size, content, store);
    console.log(
      `${name}, ${String(size)} targets, written in ${((performance.now() - writing) / 1_000).toFixed(1)} s`,
    );
    const sampled = new SampledHistory(content.handler.history, () => {
      gc();
    });
    const { outcomes } = createRuntime({ model: scriptedModel([]), store, history: sampled });
    const fifth = size / 5;
    for (const [what, lookedAt] of [
      ['first', size],
      ['second', fifth * 2],
    ] as const) {
      const { found, cost } = await sampled.during(() => outcomes.derive(), lookedAt);
      const decided = what === 'first' ? fifth : 0;
      expectSame(`${what} derivation`, found, {
        lookedAt,
        accepted_unchanged: decided,
        edited: decided,
        discarded: decided,
        undecided: fifth * 2,
        unknown: 0,
        failed: 0,
      });
      if (what === 'first') peaks.push(cost.liveBytes);
      console.log(
        `  ${what.padEnd(7)} ${String(lookedAt).padStart(6)} looked at  ${cost.msPerTarget.toFixed(3)} ms a target, ` +
          `${cost.cpuMsPerTarget.toFixed(3)} ms CPU, live heap at most +${(cost.liveBytes / MIB).toFixed(2)} MiB`,
      );
    }
    const { observed } = await outcomes.report({ by: 'tool' });
    expectSame(
      'Landed',
      observed.map(({ landed }) => landed),
      [size],
    );
  } finally {
    await store.close();
    await content.close();
    await rm(folder, { recursive: true });
  }
}
const growth = Math.max(...peaks) - (peaks[0] ?? 0);
console.log(
  `from ${sizes.join(' to ')} targets: live heap +${(growth / MIB).toFixed(2)} MiB (at most +${(MAX_GROWTH / MIB).toFixed(2)})`,
);
process.exitCode = growth > MAX_GROWTH ? 1 : 0;

/** Writes as tools do, and then changes the records as people do. */
async function writeAll(size: number, content: BenchContent, store: RunStore): Promise<void> {
  const at = new Date().toISOString();
  for (let from = 0; from < size; from += CALLS_PER_RUN) {
    const runId = `run-${String(from)}`;
    const run = { runId, correlationId: runId, actor: { id: 'bench' }, createdAt: at };
    const journal = await store.create(run, [{ kind: 'request', messages: [], seq: 1, at }]);
    let seq = 1;
    const record = async (bodies: readonly StepBody[], transition?: 'completed'): Promise<void> => {
      const steps = bodies.map((body) => ({ ...body, seq: (seq += 1), at }));
      if (!(await journal.record(steps, transition))) throw new Error(`${runId} was not recorded.`);
    };
    for (let index = from; index < Math.min(size, from + CALLS_PER_RUN); index += 1) {
      const callId = `call_${String(index)}`;
      const { signal } = new AbortController();
      const session = content.handler.open({ actor: { id: 'bench' }, runId, callId, signal });
      const target = await session.writer.create(content.table, content.data(index));
      const { table, uid } = target;
      const mark = session.landed()[0]?.mark ?? null;
      await record([{ kind: 'write_target', callId, tool: 'create_page', table, uid, mark }]);
      await treat(index % 5, target, content);
    }
    await record([], 'completed');
  }
}

async function treat(way: number, target: WriteTarget, content: BenchContent): Promise<void> {
  if (way === 1 || way === 3) await content.edit(target);
  if (way === 0 || way === 1) await content.release(target);
  if (way === 2) await content.remove(target);
}
