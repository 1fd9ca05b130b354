import type { LateEvidence, StoredRun } from '../../audit/run-journal.js';
import type { Step } from '../../audit/step.js';
import { RuntimeError } from '../../errors.js';
import { resolutionSteps } from '../../operator/resolve-write.js';
import type {
  RequeueOptions,
  RunFilter,
  RunOperations,
  RunSummary,
  WriteResolution,
} from '../../operator/run-operations.js';
import type { TimeSource } from '../../time/time-source.js';
import type { Statement, UnitOutcome, UnitRunner } from '../unit.js';
import type { SqlDialect } from './dialect.js';
import { OperatorStatements } from './operator-statements.js';
import { placeSteps } from './placed-steps.js';
import { toRunSummary, toStepRow } from './run-rows.js';
import type { RunStatements } from './run-statements.js';
import type { StepCodec } from './step-codec.js';

const MAX_ROUNDS = 8;
const MAX_LIST = 1_000;
const PURGE_BATCH = 100;
const ROTATE_BATCH = 100;

interface OperationPorts {
  readonly runner: UnitRunner;
  readonly dialect: SqlDialect;
  readonly statements: RunStatements;
  readonly codec: StepCodec;
  readonly time: TimeSource;
  readonly read: (runId: string) => Promise<StoredRun | null>;
  readonly lateEvidence: (runId: string) => Promise<readonly LateEvidence[]>;
}

/** What an operator does with the runs of a database. Every change is one unit, guarded by what was read. */
export class SqlRunOperations implements RunOperations {
  readonly #ports: OperationPorts;
  readonly #statements: OperatorStatements;

  constructor(ports: OperationPorts) {
    this.#ports = ports;
    this.#statements = new OperatorStatements(ports.dialect);
  }

  async list(filter: RunFilter): Promise<readonly RunSummary[]> {
    const { limit } = filter;
    if (!Number.isSafeInteger(limit) || limit < 1 || limit > MAX_LIST) {
      throw new RuntimeError(
        'INVALID_CONFIGURATION',
        `Cannot list runs: expected a limit from 1 to ${String(MAX_LIST)}, found ${String(limit)}.`,
      );
    }
    const rows = await this.#ports.runner.read(this.#statements.selectSummaries(filter));
    return rows.map(toRunSummary);
  }

  async find(runId: string): Promise<RunSummary | null> {
    const [row] = await this.#ports.runner.read(this.#statements.selectSummaries({ runId }));
    return row === undefined ? null : toRunSummary(row);
  }

  lateEvidence(runId: string): Promise<readonly LateEvidence[]> {
    return this.#ports.lateEvidence(runId);
  }

  async requeue(runId: string, { isEvidenceRead = false }: RequeueOptions = {}): Promise<void> {
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      const seen = await this.#seen(runId);
      if (round > 0 && seen.status === 'queued') {
        // Put back by an earlier round whose answer was lost.
        return;
      }
      assertRequeuable(seen, isEvidenceRead);
      const outcome = await this.#ports.runner.run([
        this.#ports.statements.requeue(runId, seen.hasLateEvidence),
      ]);
      if (outcome.kind === 'committed') {
        return;
      }
      assertNotFailed(outcome, `put run "${runId}" back`);
    }
    throw unavailable(`put run "${runId}" back`);
  }

  async resolve(runId: string, resolution: WriteResolution): Promise<{ readonly callId: string }> {
    const { runner, statements, codec, time, read } = this.#ports;
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      const seen = await this.#seen(runId);
      const stored = await read(runId);
      if (stored?.steps.length !== seen.steps) {
        continue;
      }
      const own = stored.steps.find((step) => isResolved(step, resolution));
      if (round > 0 && own?.kind === 'resolution') {
        return { callId: own.callId };
      }
      const at = time.now().toISOString();
      const bodies = resolutionSteps(stored, seen.openWrite, resolution);
      const steps = bodies.map((body, index) => ({ ...body, seq: seen.steps + index + 1, at }));
      const placed = await placeSteps(codec, runId, steps);
      const callId = bodies.map((body) => ('callId' in body ? body.callId : null))[0] ?? '';
      const seenRow = { runId, status: seen.status, epoch: seen.epoch, lastSeq: seen.steps };
      const outcome = await runner.run([
        ...this.#statements.annotate(seenRow, steps.length, callId),
        ...statements.insertSteps(runId, null, placed),
      ]);
      if (outcome.kind === 'committed') {
        return { callId };
      }
      assertNotFailed(outcome, `resolve a write of run "${runId}"`);
    }
    throw unavailable(`resolve a write of run "${runId}"`);
  }

  async purge(before: Date): Promise<number> {
    const beforeMs = before.getTime();
    let purged = 0;
    for (;;) {
      const rows = await this.#ports.runner.read(this.#statements.selectPurgeable(beforeMs, PURGE_BATCH));
      const ids = rows.map(({ id }) => String(id));
      if (ids.length === 0) {
        return purged;
      }
      const outcome = await this.#ports.runner.run(this.#statements.purge(ids, beforeMs));
      if (outcome.kind === 'committed') {
        purged += ids.length;
      } else {
        // Refused: one of them was put back meanwhile, and the next look leaves it out.
        assertNotFailed(outcome, 'purge runs');
      }
    }
  }

  async rotateKeys(): Promise<number> {
    const { runner, codec } = this.#ports;
    if (!codec.isSealing) {
      throw new RuntimeError(
        'INVALID_CONFIGURATION',
        "Cannot seal anew: the store has no key, its `encryption` is 'none'. Nothing was changed. Open it with " +
          '{ keys }, the newest first; what stands in the clear is sealed then, too.',
      );
    }
    let [runId, seq, resealed] = ['', 0, 0];
    for (;;) {
      const rows = await runner.read(this.#statements.selectStepsAfter(runId, seq, ROTATE_BATCH));
      const unit: Statement[] = [];
      for (const row of rows) {
        runId = String(row['run_id']);
        const { seq: place, trace, sealed } = toStepRow(row);
        seq = place;
        const recoded = await codec.recode({ runId, seq }, { trace, sealed });
        if (recoded !== null) {
          unit.push(this.#statements.recode(runId, seq, { trace, sealed }, recoded));
        }
      }
      if (unit.length > 0) {
        await this.#runWhole(unit, 'seal steps anew');
        resealed += unit.length;
      }
      if (rows.length < ROTATE_BATCH) {
        return resealed;
      }
    }
  }

  async #runWhole(unit: readonly Statement[], what: string): Promise<void> {
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      const outcome = await this.#ports.runner.run(unit);
      if (outcome.kind === 'committed') {
        return;
      }
      assertNotFailed(outcome, what);
    }
    throw unavailable(what);
  }

  async #seen(runId: string): Promise<RunSummary & { readonly epoch: number }> {
    const [row] = await this.#ports.runner.read(this.#statements.selectSummaries({ runId }));
    if (row === undefined) {
      throw new RuntimeError(
        'RUN_NOT_FOUND',
        `Cannot find run "${runId.slice(0, 100)}" in the store. Check the id, and that this is the store that the run was started on.`,
      );
    }
    return { ...toRunSummary(row), epoch: Number(row['epoch']) };
  }
}

function isResolved(step: Step, { callId, by, outcome }: WriteResolution): boolean {
  return (
    step.kind === 'resolution' &&
    step.by === by &&
    step.outcome === outcome.kind &&
    (callId === undefined || step.callId === callId)
  );
}

function assertRequeuable(seen: RunSummary, isEvidenceRead: boolean): void {
  const { runId, status, openWrite, hasLateEvidence } = seen;
  if (status !== 'failed') {
    throw new RuntimeError(
      'RUN_NOT_REQUEUABLE',
      `Cannot put run "${runId}" back: expected one that failed, found one that is ${status}. ` +
        (status === 'paused'
          ? 'Decide about its calls instead.'
          : 'Only a failed run is put back by a person.'),
    );
  }
  if (openWrite !== null) {
    throw new RuntimeError(
      'WRITE_UNRESOLVED',
      `Cannot put run "${runId}" back: whether call ${openWrite.callId} of the tool "${openWrite.tool}" wrote is not known. ` +
        'Read the record that it would have written, then say what you found: resolve the run as landed or as not landed.',
    );
  }
  if (hasLateEvidence && !isEvidenceRead) {
    throw new RuntimeError(
      'EVIDENCE_UNREAD',
      `Cannot put run "${runId}" back: evidence came in that stands in no step of it, so a write may have happened that ` +
        'the run does not know of. Read it beside the trace, then put the run back saying that you have read it.',
    );
  }
}

function assertNotFailed(outcome: UnitOutcome, what: string): void {
  if (outcome.kind === 'failed') {
    throw unavailable(what, outcome.cause);
  }
}

function unavailable(what: string, cause?: unknown): RuntimeError {
  return new RuntimeError(
    'STORE_UNAVAILABLE',
    `Cannot ${what}: the store did not take it. Look for the cause in the log of the store, and do it once more.`,
    cause === undefined ? undefined : { cause },
  );
}
