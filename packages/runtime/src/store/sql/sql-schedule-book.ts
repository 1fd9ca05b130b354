import type { RunRecord } from '../../audit/run-journal.js';
import type { Step } from '../../audit/step.js';
import { RuntimeError } from '../../errors.js';
import type { ScheduleBook, ScheduleEntry, Tick } from '../../schedule/schedule-book.js';
import type { SqlRow, Statement, UnitOutcome, UnitRunner } from '../unit.js';
import { runUntilAnswered } from './answered-unit.js';
import { toStatement, type SqlDialect } from './dialect.js';
import { placeSteps } from './placed-steps.js';
import type { RunStatements } from './run-statements.js';
import type { StepCodec } from './step-codec.js';

interface BookPorts {
  readonly runner: UnitRunner;
  readonly dialect: SqlDialect;
  readonly statements: RunStatements;
  readonly codec: StepCodec;
}

/** Where schedules stand, in a table beside the runs, so that a tick and its run are stored by one unit. */
export class SqlScheduleBook implements ScheduleBook {
  readonly #ports: BookPorts;

  constructor(ports: BookPorts) {
    this.#ports = ports;
  }

  async read(): Promise<readonly ScheduleEntry[]> {
    const { runner, dialect } = this.#ports;
    const all = dialect.query.selectFrom('schedules').selectAll().orderBy('id');
    return (await runner.read(toStatement(all, 'any'))).map(toEntry);
  }

  async begin(id: string, definition: string): Promise<ScheduleEntry> {
    const { runner, dialect } = this.#ports;
    const fresh = { definition, done_until: dialect.now };
    // Where the definition is the same, it stands where it stood.
    const begun = dialect.query
      .insertInto('schedules')
      .values({ id, ...fresh })
      .onConflict((conflict) =>
        conflict.column('id').doUpdateSet(fresh).where('schedules.definition', '<>', definition),
      );
    await runUntilAnswered(runner, [toStatement(begun, 'any')], (outcome) => unavailable(id, outcome));
    const entry = (await this.read()).find((one) => one.id === id);
    if (entry === undefined) {
      throw unavailable(id, null);
    }
    return entry;
  }

  async enqueue(
    tick: Tick,
    run: RunRecord,
    firstSteps: readonly Step[],
  ): Promise<'enqueued' | 'moved' | 'exists'> {
    const { statements, codec } = this.#ports;
    const placed = await placeSteps(codec, run.runId, firstSteps);
    const outcome = await this.#settle(
      tick,
      statements.insertRun(run, { owner: null, dueAtMs: null }, placed),
    );
    if (outcome.kind === 'refused') {
      return outcome.statement === 0 ? 'moved' : 'exists';
    }
    return 'enqueued';
  }

  async skip(tick: Tick): Promise<'skipped' | 'moved'> {
    return (await this.#settle(tick, [])).kind === 'refused' ? 'moved' : 'skipped';
  }

  async #settle(
    tick: Tick,
    rest: readonly Statement[],
  ): Promise<Extract<UnitOutcome, { kind: 'committed' | 'refused' }>> {
    const { runner, dialect } = this.#ports;
    const { id, definition, doneUntilMs, tickMs } = tick;
    const note = dialect.query
      .updateTable('schedules')
      .set({ done_until: tickMs })
      .where('id', '=', id)
      .where('definition', '=', definition)
      .where('done_until', '=', doneUntilMs)
      // A worker whose clock is ahead waits until it is time for everybody.
      .where(dialect.now, '>=', tickMs);
    // After an answer that was lost, an entry that stands elsewhere is ours or another worker's: the tick is dealt
    // with in either case.
    return runUntilAnswered(runner, [toStatement(note, 1), ...rest], (outcome) => unavailable(id, outcome));
  }
}

function toEntry(row: SqlRow): ScheduleEntry {
  return {
    id: String(row['id']),
    definition: String(row['definition']),
    doneUntilMs: Number(row['done_until']),
  };
}

/** @param outcome of the last try; null where the entry was gone again. */
function unavailable(
  id: string,
  outcome: Exclude<UnitOutcome, { kind: 'committed' | 'refused' }> | null,
): RuntimeError {
  return new RuntimeError(
    'STORE_UNAVAILABLE',
    `Cannot store where the schedule "${id}" stands: the store did not take it. It is tried again; look for the cause in ` +
      'the log of the store.',
    outcome?.kind === 'failed' ? { cause: outcome.cause } : undefined,
  );
}
