import fc from 'fast-check';
import { expect, it } from 'vitest';
import { describeOnDatabases } from '../store/sql/fixtures/test-databases.js';
import { assertInvariants, type History, type Mishap, relive } from './fixtures/histories.js';

/*
 * Random histories of a run on a real database, with clocks of the test: what is looked for is a second effect of a
 * write that writes anew each time, a success without its audit, a run that is lost, an end without a reason.
 * `TOOLWRIGHT_HISTORIES` sets how many there are on each database, `TOOLWRIGHT_HISTORIES_SEED` which ones.
 */
const asked = process.env['TOOLWRIGHT_HISTORIES'];
/** Without it, as many as a normal test run has time for: a commit of PostgreSQL takes longer here. */
const HISTORIES = { sqlite: Number(asked ?? 150), postgres: Number(asked ?? 60) };
const SEED = Number(process.env['TOOLWRIGHT_HISTORIES_SEED'] ?? 20_260_101);

/** Most moments of a process are quiet ones, so that a history gets as far as its writes before something happens. */
const mishap: fc.Arbitrary<Mishap> = fc.oneof(
  { weight: 160, arbitrary: fc.constant<Mishap>({ kind: 'none' }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('fault' as const),
      fault: fc.constantFrom('answer_lost' as const, 'unit_lost' as const, 'failed' as const),
    }),
  },
  { weight: 6, arbitrary: fc.constant<Mishap>({ kind: 'crash' }) },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('stall' as const),
      ms: fc.constantFrom(5_000, 29_000, 40_000, 120_000),
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
  turns: fc.array(
    fc.array(fc.constantFrom('create', 'create', 'rename', 'look'), { minLength: 1, maxLength: 3 }),
    {
      minLength: 1,
      maxLength: 2,
      size: 'max',
    },
  ),
  isDirect: fc.boolean(),
  // As long as a run takes: the generator prefers short lists, and what happens before the first write is told soon.
  mishaps: fc.array(fc.array(mishap, { minLength: 40, maxLength: 40, size: 'max' }), {
    minLength: 1,
    maxLength: 4,
    size: 'max',
  }),
});

describeOnDatabases('random histories', (databases) => {
  const numRuns = HISTORIES[databases.name];

  it(
    'write nothing twice, lose no run and report no success without its audit',
    { timeout: 30_000 + numRuns * 1_000 },
    async () => {
      const ends = new Map<string, number>();
      const count = (what: string): void => void ends.set(what, (ends.get(what) ?? 0) + 1);
      const result = await fc.check(
        fc.asyncProperty(history, async (one) => {
          const end = await relive(databases, one);
          assertInvariants(end);
          count(
            end.row === undefined ? 'never stored' : String(end.row['failure_detail'] ?? end.row['status']),
          );
          if (Number(end.row?.['requeues'] ?? 0) > 0) count('put back');
          if (end.late.length > 0) count('late evidence');
        }),
        { seed: SEED, numRuns, verbose: fc.VerbosityLevel.Verbose },
      );
      const told = [...ends].sort(([, a], [, b]) => b - a).map(([what, n]) => `${what} ${String(n)}`);
      console.info(
        `${String(result.numRuns)} random histories on ${databases.name} (seed ${String(SEED)}): ${told.join(', ')}`,
      );
      if (result.failed) {
        // What went wrong is not in the report of the counterexample.
        throw new Error(fc.defaultReportMessage(result) ?? 'failed', { cause: result.errorInstance });
      }
      // Histories that never get so far would hold whatever the rules are.
      for (const [what, share] of [
        ['completed', 0.4],
        ['put back', 0.25],
        ['write_interrupted', 0.05],
        ['late evidence', 0.01],
      ] as const) {
        expect(ends.get(what) ?? 0, `histories that ended with: ${what}`).toBeGreaterThanOrEqual(
          Math.floor(numRuns * share),
        );
      }
    },
  );
});
