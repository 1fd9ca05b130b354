import type { RunRecord } from '../../audit/run-journal.js';
import type { Step } from '../../audit/step.js';
import { RuntimeError } from '../../errors.js';
import type { ScheduleBook, ScheduleEntry, Tick } from '../../schedule/schedule-book.js';
import type { SqlRow, Statement, UnitOutcome, UnitRunner } from '../unit.js';
import { toStatement, type SqlDialect } from './dialect.js';
import type { RunStatements } from './run-statements.js';
import type { StepCodec } from './step-codec.js';

interface BookPorts {
  readonly runner: UnitRunner;
  readonly dialect: SqlDialect;
  readonly statements: RunStatements;
  readonly codec: StepCodec;
}

const MAX_ROUNDS = 8;

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
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      const outcome = await runner.run([toStatement(begun, 'any')]);
      if (outcome.kind === 'failed') {
        throw unavailable(id, outcome.cause);
      }
      const entry = outcome.kind === 'unknown' ? undefined : await this.#find(id);
      if (entry !== undefined) {
        return entry;
      }
    }
    throw unavailable(id, null);
  }

  async enqueue(
    tick: Tick,
    run: RunRecord,
    firstSteps: readonly Step[],
  ): Promise<'enqueued' | 'moved' | 'exists'> {
    const { statements, codec } = this.#ports;
    const placed = await Promise.all(
      firstSteps.map(async (step) => ({ step, encoded: await codec.encode(run.runId, step) })),
    );
    const lastSeq = firstSteps.at(-1)?.seq ?? 0;
    const outcome = await this.#settle(tick, [
      statements.insertRun(run, { owner: null, dueAtMs: null, lastSeq }),
      ...statements.insertSteps(run.runId, 0, placed),
    ]);
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
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      const outcome = await runner.run([toStatement(note, 1), ...rest]);
      if (outcome.kind === 'failed') {
        throw unavailable(id, outcome.cause);
      }
      // After an answer that was lost, an entry that stands elsewhere is ours or another worker's: the tick is dealt
      // with in either case.
      if (outcome.kind !== 'unknown') {
        return outcome;
      }
    }
    throw unavailable(id, null);
  }

  async #find(id: string): Promise<ScheduleEntry | undefined> {
    return (await this.read()).find((entry) => entry.id === id);
  }
}

function toEntry(row: SqlRow): ScheduleEntry {
  return {
    id: String(row['id']),
    definition: String(row['definition']),
    doneUntilMs: Number(row['done_until']),
  };
}

function unavailable(id: string, cause: unknown): RuntimeError {
  return new RuntimeError(
    'STORE_UNAVAILABLE',
    `Cannot store where the schedule "${id}" stands: the store did not take it. It is tried again; look for the cause in ` +
      'the log of the store.',
    cause === null ? undefined : { cause },
  );
}
