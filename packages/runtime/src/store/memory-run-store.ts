import type {
  FenceRequest,
  LateEvidence,
  RunJournal,
  RunRecord,
  RunStore,
  StoredRun,
  WriteFence,
} from '../audit/run-journal.js';
import type { Step } from '../audit/step.js';
import { RuntimeError } from '../errors.js';
import type { OutcomeLedger } from '../outcome/outcome-ledger.js';
import { isEnded, mayTransition, type RunStatus, type RunTransition } from '../run/lifecycle.js';
import { systemTime, type TimeSource } from '../time/time-source.js';
import { MemoryOutcomeLedger } from './memory-outcome-ledger.js';

interface Entry {
  readonly run: RunRecord;
  status: RunStatus;
  steps: Step[];
  isCancelRequested: boolean;
  lateEvidence: LateEvidence[];
}

/**
 * Runs in the memory of one process: nothing outlives it, and nobody but this process owns a run. What
 * is stored is a copy in plain JSON, so a step that would not survive a database does not survive here.
 */
export class MemoryRunStore implements RunStore {
  readonly #entries = new Map<string, Entry>();
  readonly #ports: JournalPorts;

  /** @param time when late evidence came in. Default: the machine's clock. */
  constructor({ time = systemTime }: { readonly time?: Pick<TimeSource, 'now'> } = {}) {
    const ledger = new MemoryOutcomeLedger(
      (runId) => this.#entries.get(runId) ?? null,
      (correlationId) =>
        [...this.#entries.values()]
          .filter(({ run }) => run.correlationId === correlationId)
          .map(({ run }) => run.runId),
    );
    this.#ports = { ledger, time };
  }

  /** Landed targets and their outcomes. */
  get outcomes(): OutcomeLedger {
    return this.#ports.ledger;
  }

  create(run: RunRecord, firstSteps: readonly Step[]): Promise<RunJournal> {
    if (this.#entries.has(run.runId)) {
      return Promise.reject(alreadyExists(run.runId));
    }
    const entry: Entry = {
      run: copy(run),
      status: 'running',
      steps: copy([...firstSteps]),
      isCancelRequested: false,
      lateEvidence: [],
    };
    this.#entries.set(run.runId, entry);
    return Promise.resolve(new MemoryRunJournal(entry, this.#ports));
  }

  read(runId: string): Promise<StoredRun | null> {
    const entry = this.#entries.get(runId);
    return Promise.resolve(
      entry === undefined ? null : copy({ run: entry.run, status: entry.status, steps: entry.steps }),
    );
  }

  claim(runId: string): Promise<RunJournal | null> {
    const entry = this.#entries.get(runId);
    if (entry?.status !== 'paused') {
      return Promise.resolve(null);
    }
    entry.status = 'running';
    return Promise.resolve(new MemoryRunJournal(entry, this.#ports));
  }

  appendToPaused(runId: string, lastSeq: number, step: Step): Promise<boolean> {
    const entry = this.#entries.get(runId);
    if (entry?.status !== 'paused' || entry.steps.length !== lastSeq || step.seq !== lastSeq + 1) {
      return Promise.resolve(false);
    }
    entry.steps.push(copy(step));
    return Promise.resolve(true);
  }

  requestCancel(
    runId: string,
    failure: Omit<Step, 'seq'>,
  ): Promise<'cancelled' | 'requested' | 'ended' | 'not_found'> {
    const entry = this.#entries.get(runId);
    if (entry === undefined) {
      return Promise.resolve('not_found');
    }
    if (mayTransition(entry.status, 'cancelled', 'person')) {
      entry.steps.push(copy({ ...failure, seq: entry.steps.length + 1 } as Step));
      entry.status = 'cancelled';
      return Promise.resolve('cancelled');
    }
    if (isEnded(entry.status)) {
      return Promise.resolve('ended');
    }
    entry.isCancelRequested = true;
    return Promise.resolve('requested');
  }

  /** What came to light too late, oldest first. */
  lateEvidence(runId: string): readonly LateEvidence[] {
    return [...(this.#entries.get(runId)?.lateEvidence ?? [])];
  }

  /**
   * Takes in a run that {@link read} gave out, for example a paused one from before a restart.
   *
   * @throws RuntimeError with code `RUN_ALREADY_EXISTS` when this store knows the run, so that a stale
   *   copy can never replace what has happened since.
   */
  restore(stored: StoredRun): void {
    if (this.#entries.has(stored.run.runId)) {
      throw alreadyExists(stored.run.runId);
    }
    const { run, status, steps } = copy(stored);
    this.#entries.set(run.runId, {
      run,
      status,
      steps: [...steps],
      isCancelRequested: false,
      lateEvidence: [],
    });
    this.#ports.ledger.land(run, steps, steps);
  }
}

interface JournalPorts {
  readonly ledger: MemoryOutcomeLedger;
  readonly time: Pick<TimeSource, 'now'>;
}

class MemoryRunJournal implements RunJournal {
  readonly run: RunRecord;
  readonly steps: readonly Step[];
  readonly lost = new AbortController().signal;
  readonly #entry: Entry;
  readonly #ports: JournalPorts;
  #isHeld = true;

  constructor(entry: Entry, ports: JournalPorts) {
    this.#entry = entry;
    this.#ports = ports;
    this.run = entry.run;
    this.steps = copy(entry.steps);
  }

  record(unit: readonly Step[], transition?: RunTransition): Promise<boolean> {
    const stored = this.#entry.steps;
    const fresh = unit.filter((step) => step.seq > stored.length);
    if (!this.#isHeld || fresh.some((step, index) => step.seq !== stored.length + index + 1)) {
      return Promise.resolve(false);
    }
    stored.push(...copy(fresh));
    this.#ports.ledger.land(this.run, stored, copy(fresh));
    if (transition !== undefined) {
      this.#entry.status = transition;
      this.#isHeld = false;
    }
    return Promise.resolve(true);
  }

  beforeWrite(_request: FenceRequest): Promise<WriteFence | null> {
    return Promise.resolve(this.#isHeld ? { isHeld: () => this.#isHeld } : null);
  }

  isCancelRequested(): Promise<boolean> {
    return Promise.resolve(this.#entry.isCancelRequested);
  }

  keepLateEvidence(evidence: LateEvidence): Promise<void> {
    this.#entry.lateEvidence.push(copy(evidence));
    const at = this.#ports.time.now().toISOString();
    this.#ports.ledger.landLate(this.run, this.#entry.steps, copy(evidence), at);
    return Promise.resolve();
  }
}

function copy<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}

function alreadyExists(runId: string): RuntimeError {
  return new RuntimeError(
    'RUN_ALREADY_EXISTS',
    `Cannot store run "${runId}": expected a new id, found a run that is stored under it. ` +
      'Use the stored run, or give the new one an id of its own.',
  );
}
