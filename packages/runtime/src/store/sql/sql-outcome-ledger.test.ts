import { createRecordingLogger, createTestClock } from '@toolwright/sdk/testing';
import { describe, expect, it } from 'vitest';
import { describeOutcomeLedger } from '../fixtures/outcome-ledger-contract.js';
import type { SqlRow, Statement, UnitOutcome, UnitRunner } from '../unit.js';
import { SQL_DIALECTS, type SqlDialectName } from './dialect.js';
import { describeOnDatabases } from './fixtures/test-databases.js';
import { SqlOutcomeLedger } from './sql-outcome-ledger.js';
import { SqlRunStore } from './sql-run-store.js';

describeOnDatabases('outcomes', (databases) => {
  describeOutcomeLedger('SqlRunStore', async () => {
    const { units, dialect } = await databases.take();
    const time = createTestClock();
    return new SqlRunStore({
      runner: units,
      dialect,
      encryption: 'none',
      time,
      logger: createRecordingLogger(),
    });
  });
});

const TARGET = {
  id: 'a',
  runId: 'run-1',
  correlationId: 'run-1',
  callId: 'c1',
  tool: 't',
  model: null,
  target: { table: 'pages', uid: 1 },
  mark: null,
  landedAt: new Date(0).toISOString(),
};
const OBSERVED = {
  value: 'unknown',
  reason: 'no_mark',
  entries: [],
  derivedAt: new Date(0).toISOString(),
} as const;

/** A ledger over a runner that answers as scripted, and every statement that it was given. */
function scripted(dialect: SqlDialectName, answers: readonly UnitOutcome[] = []) {
  const said: string[] = [];
  const waiting = [...answers];
  const runner: UnitRunner = {
    run: (unit: readonly Statement[]) => {
      said.push(...unit.map(({ sql }) => sql));
      return Promise.resolve(waiting.shift() ?? { kind: 'committed', rows: [] });
    },
    read: ({ sql }): Promise<readonly SqlRow[]> => {
      said.push(sql);
      return Promise.resolve([]);
    },
    close: () => Promise.resolve(),
  };
  return { ledger: new SqlOutcomeLedger(runner, SQL_DIALECTS[dialect]), said };
}

describe('SqlOutcomeLedger', () => {
  it.each(['sqlite', 'postgres'] as const)('reads no approval in any statement on %s', async (dialect) => {
    const { ledger, said } = scripted(dialect);
    const filter = { tool: 't', from: new Date(0), to: new Date(1) };
    await ledger.open(filter, TARGET, 10);
    await ledger.keep([
      { target: TARGET, observed: OBSERVED },
      { target: TARGET, observed: null },
    ]);
    await ledger.ofCall({ runId: 'run-1', callId: 'c1' });
    await ledger.hasRun({ correlationId: 'run-1', callId: 'c1' });
    await ledger.rate('run-1', 'c1', 'helpful', new Date(0));
    await ledger.countObserved(filter);
    await ledger.countRatings(filter);
    expect(said.length).toBeGreaterThanOrEqual(9);
    const tables = said.flatMap((sql) =>
      [...sql.matchAll(/(?:from|join|into|update) "(\w+)"/gu)].map(([, table]) => table),
    );
    // Of the steps, only those that say that a call has run; what a person decided about it stands in others.
    expect([...new Set(tables)].sort()).toEqual([
      'observed_outcomes',
      'ratings',
      'runs',
      'steps',
      'write_targets',
    ]);
    expect(said.filter((sql) => sql.includes('"steps"'))).toEqual([
      expect.stringMatching(/"steps"\."kind" = [?$]/u),
    ]);
    expect(said.join('\n')).not.toMatch(/approv|decided_by|actor/iu);
  });

  it('asks again when the answer of the database was lost, and says so when it stays away', async () => {
    const lost: UnitOutcome = { kind: 'unknown', cause: null };
    const once = scripted('sqlite', [lost]);
    await once.ledger.rate('run-1', 'c1', 'helpful', new Date(0));
    expect(once.said).toHaveLength(2);
    const gone = scripted(
      'sqlite',
      Array.from({ length: 20 }, () => lost),
    );
    await expect(gone.ledger.keep([{ target: TARGET, observed: OBSERVED }])).rejects.toMatchObject({
      code: 'STORE_UNAVAILABLE',
    });
    const cause = new Error('disk');
    const failed = scripted('sqlite', [{ kind: 'failed', cause }]);
    await expect(failed.ledger.rate('run-1', 'c1', 'helpful', new Date(0))).rejects.toMatchObject({
      code: 'STORE_UNAVAILABLE',
      cause,
    });
    expect(failed.said).toHaveLength(1);
  });
});
