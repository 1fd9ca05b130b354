import { describe, expect, it } from 'vitest';
import type { Step } from '../../audit/step.js';
import type { Statement } from '../unit.js';
import { SQL_DIALECTS } from './dialect.js';
import { RunStatements } from './run-statements.js';
import { StatementShapes } from './statement-shapes.js';

const { query } = SQL_DIALECTS.sqlite;

describe('StatementShapes', () => {
  it('builds a shape once and fills it in with the values of each use', () => {
    const shapes = new StatementShapes();
    let built = 0;
    const rate = (runId: string, at: number) =>
      shapes.statement('rate', { runId, at }, 1, (late) => {
        built += 1;
        return query.updateTable('ratings').set({ rated_at: late.at }).where('run_id', '=', late.runId);
      });

    const [first, second] = [rate('run-1', 1), rate('run-2', 2)];

    expect(built).toBe(1);
    expect(first.parameters).toEqual([1, 'run-1']);
    expect(second).toEqual({ sql: first.sql, parameters: [2, 'run-2'], rows: 1 });
  });

  it('refuses a build when it computes with a value', () => {
    const shapes = new StatementShapes();
    const build = () =>
      shapes.statement('rate', { at: 1 }, 1, (late) =>
        query.updateTable('ratings').set({ rated_at: late.at + 1 }),
      );

    expect(build).toThrow(expect.objectContaining({ code: 'INTERNAL' }));
  });
});

/** Everything that the store says of a run, with values that are told apart by what they are asked for. */
function everyStatement(
  statements: RunStatements,
  of: 'a' | 'b',
): Readonly<Record<string, () => readonly Omit<Statement, 'rows'>[]>> {
  const n = of === 'a' ? 3 : 70;
  const runId = `run-${of}`;
  const held = { runId, owner: `owner-${of}`, epoch: n };
  const at = new Date(1_000 * n).toISOString();
  const run = { runId, correlationId: `c-${of}`, actor: { id: `actor-${of}` }, createdAt: at };
  const callId = `call-${of}`;
  const encoded = { trace: `trace-${of}`, sealed: of === 'a' ? null : 'sealed' };
  const target = {
    kind: 'write_target',
    callId,
    tool: `tool-${of}`,
    table: `table-${of}`,
    uid: n,
    seq: n,
    at,
  };
  const marked = of === 'a' ? target : { ...target, mark: 'm' };
  const steps = [{ step: marked as Step, encoded }];
  const fence = { callId, tool: `tool-${of}`, effect: 'idempotent_write', until: new Date(at) } as const;
  const seqs = { from: n, to: n + 1 };
  const settle = (name: 'complete' | 'pause' | 'fail', cleared: readonly string[]) => () => [
    statements.settle(name, held, seqs, { cleared }, {}),
  ];
  return {
    held: () => statements.insertRun(run, { owner: `owner-${of}`, dueAtMs: null }, steps),
    queued: () => statements.insertRun(run, { owner: null, dueAtMs: null }, steps),
    later: () => statements.insertRun(run, { owner: null, dueAtMs: n }, []),
    resting: () => statements.insertSteps(runId, null, steps),
    claim: () => statements.claim('claim', runId, `owner-${of}`),
    resume: () => statements.claim('resume', runId, `owner-${of}`),
    advance: () => [statements.advance(held, n, n + 1)],
    complete: settle('complete', [callId]),
    'complete, no fence': settle('complete', []),
    pause: settle('pause', []),
    fail: settle('fail', [callId]),
    stamp: () => statements.stamp(held, n, fence, n + 0.5),
    clear: () => [statements.clearFence(runId, [callId])],
    'clear all': () => [statements.clearFence(runId, null)],
    'clear several': () => [statements.clearFence(runId, [callId, `other-${of}`])],
    renew: () => [statements.renew(held)],
    void: () => [statements.voidRequests(runId)],
    reads: () => [statements.selectRun(runId), statements.selectSteps(runId, n)],
  };
}

describe.each(['sqlite', 'postgres'] as const)('a statement about a run on %s', (name) => {
  const fresh = () => new RunStatements(SQL_DIALECTS[name], 30_000);

  it.each(Object.keys(everyStatement(fresh(), 'a')))(
    'is the same, whatever its shape was first used for, when it is: %s',
    (what) => {
      const used = fresh();
      Object.values(everyStatement(used, 'a')).forEach((say) => say());

      expect(everyStatement(used, 'b')[what]?.()).toEqual(everyStatement(fresh(), 'b')[what]?.());
    },
  );
});
