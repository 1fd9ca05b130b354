import { errorClass } from '@toolwright/sdk';
import { RuntimeError } from '../../errors.js';
import type {
  CallKey,
  Finding,
  LandedTarget,
  ObservedCount,
  ObservedOutcome,
  OpenFilter,
  OutcomeFilter,
  OutcomeLedger,
  Rating,
  RatingCount,
  TargetCursor,
  TargetOutcome,
} from '../../outcome/outcome-ledger.js';
import type { SqlRow, Statement, UnitRunner } from '../unit.js';
import { runUntilAnswered } from './answered-unit.js';
import type { SqlDialect } from './dialect.js';
import { OutcomeStatements } from './outcome-statements.js';
import { textOrNull, time } from './run-rows.js';

/** Landed targets and their outcomes in a database. What is kept is one unit, guarded by what stands there. */
export class SqlOutcomeLedger implements OutcomeLedger {
  readonly #runner: UnitRunner;
  readonly #statements: OutcomeStatements;

  constructor(runner: UnitRunner, dialect: SqlDialect) {
    this.#runner = runner;
    this.#statements = new OutcomeStatements(dialect);
  }

  async open(
    filter: OpenFilter,
    after: TargetCursor | null,
    limit: number,
  ): Promise<readonly LandedTarget[]> {
    return (await this.#runner.read(this.#statements.selectOpen(filter, after, limit))).map(toTarget);
  }

  keep(findings: readonly Finding[]): Promise<void> {
    return this.#run(this.#statements.keep(findings), 'keep outcomes');
  }

  async ofCall(key: CallKey): Promise<readonly TargetOutcome[]> {
    return (await this.#runner.read(this.#statements.selectCall(key))).map(toTargetOutcome);
  }

  async hasRun(key: CallKey): Promise<{ readonly run: boolean; readonly call: boolean }> {
    const rows = await this.#runner.read(this.#statements.selectRuns(key));
    return { run: rows.length > 0, call: rows.some(({ calls }) => Number(calls) > 0) };
  }

  rate(runId: string, callId: string, rating: Rating, at: Date): Promise<void> {
    return this.#run([this.#statements.rate(runId, callId, rating, at)], 'keep a rating');
  }

  async countObserved(filter: OutcomeFilter): Promise<readonly ObservedCount[]> {
    const rows = await this.#runner.read(this.#statements.countObserved(filter));
    return rows.map((row) => ({
      tool: String(row['tool']),
      model: textOrNull(row['model']),
      value: textOrNull(row['value']) as ObservedCount['value'],
      reason: textOrNull(row['reason']) as ObservedCount['reason'],
      count: Number(row['count']),
    }));
  }

  async countRatings(filter: OutcomeFilter): Promise<readonly RatingCount[]> {
    const rows = await this.#runner.read(this.#statements.countRatings(filter));
    return rows.map((row) => ({
      tool: String(row['tool']),
      model: textOrNull(row['model']),
      value: textOrNull(row['value']) as Rating | null,
      count: Number(row['count']),
    }));
  }

  /** Every unit here is the same twice, so that one whose answer was lost is asked again. */
  async #run(unit: readonly Statement[], what: string): Promise<void> {
    if (unit.length > 0) {
      await runUntilAnswered(
        this.#runner,
        unit,
        ({ cause }) =>
          new RuntimeError(
            'STORE_UNAVAILABLE',
            `Cannot ${what}: the store did not take it (${errorClass(cause)}). ` +
              'Look for the cause in the log of the store, and do it once more: what is kept already stays the same.',
            { cause },
          ),
      );
    }
  }
}

function toTarget(row: SqlRow): LandedTarget {
  const mark = row['mark'] ?? null;
  return {
    id: String(row['id']),
    runId: String(row['run_id']),
    correlationId: String(row['correlation_id']),
    callId: String(row['call_id']),
    tool: String(row['tool']),
    model: textOrNull(row['model']),
    target: {
      table: String(row['record_table']),
      uid: JSON.parse(String(row['record_uid'])) as string | number,
    },
    mark: mark === null ? null : (JSON.parse(String(mark)) as string),
    landedAt: time(row['landed_at']),
  };
}

function toTargetOutcome(row: SqlRow): TargetOutcome {
  const { mark: _mark, ...target } = toTarget(row);
  const value = textOrNull(row['observed_value']);
  return {
    ...target,
    observed:
      value === null
        ? null
        : ({
            value,
            reason: textOrNull(row['observed_reason']),
            entries: JSON.parse(String(row['observed_entries'])) as readonly string[],
            derivedAt: time(row['derived_at']),
          } as ObservedOutcome),
    rating: textOrNull(row['rating']) as Rating | null,
  };
}
