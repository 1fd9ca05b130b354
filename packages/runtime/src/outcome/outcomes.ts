import type { ContentHistory, Logger } from '@toolwright/sdk';
import { RuntimeError } from '../errors.js';
import type { TimeSource } from '../time/time-source.js';
import { deriveOutcomes, type Derivation, type DeriveOptions } from './derive-outcomes.js';
import type { CallKey, OutcomeFilter, OutcomeLedger, Rating, TargetOutcome } from './outcome-ledger.js';
import { outcomeReport, type OutcomeGrouping, type OutcomeReport } from './outcome-report.js';

/** The history of all records, or of those of each table; null for a table without one. */
export type HostHistory = ContentHistory | ((table: string) => ContentHistory | null);

export interface ReportOptions extends OutcomeFilter {
  /** Default: `tool_and_model`. */
  readonly by?: OutcomeGrouping;
}

/** What happened to the records that tools wrote. */
export interface Outcomes {
  /**
   * Says that what a call gave was helpful, or was not. One rating a call, without who gave it: a later one takes the
   * place of an earlier one, whoever it is from. Asks nobody for permission; the surface that shows the result does.
   *
   * @throws RuntimeError with code `RUN_NOT_FOUND`, `CALL_NOT_FOUND`, or `CALL_NOT_RATEABLE` for one that is not known to
   *   have written a record, or of which several runs have one.
   */
  rate(call: CallKey, rating: Rating): Promise<void>;
  /**
   * Asks the content systems' histories what became of every record that is still open, and keeps what has been decided.
   * For a timer of the host's, or the command. Several at once do no harm.
   *
   * @throws RuntimeError with code `STORE_UNAVAILABLE` or `INVALID_CONFIGURATION`.
   */
  derive(options?: DeriveOptions): Promise<Derivation>;
  /** Counts and rates of both sources, beside each other. */
  report(options?: ReportOptions): Promise<OutcomeReport>;
  /** The records that a call wrote, with what is known of each; none for a call that wrote none. */
  ofCall(call: CallKey): Promise<readonly TargetOutcome[]>;
}

interface OutcomePorts {
  readonly ledger: OutcomeLedger;
  readonly history: HostHistory | null;
  readonly logger: Logger;
  readonly time: Pick<TimeSource, 'now'>;
}

/** Outcomes over a ledger and the host's histories. */
export class LedgerOutcomes implements Outcomes {
  readonly #ports: OutcomePorts;

  constructor(ports: OutcomePorts) {
    this.#ports = ports;
  }

  async rate(call: CallKey, rating: Rating): Promise<void> {
    assertRating(rating);
    const { ledger, time } = this.#ports;
    const runs = new Set((await ledger.ofCall(call)).map(({ runId }) => runId));
    const [runId] = runs;
    if (runId === undefined || runs.size > 1) {
      throw await this.#notRateable(call, runs.size);
    }
    await ledger.rate(runId, call.callId, rating, time.now());
  }

  derive(options: DeriveOptions = {}): Promise<Derivation> {
    const { history, ...ports } = this.#ports;
    const historyOf = typeof history === 'function' ? history : () => history;
    return deriveOutcomes({ ...ports, historyOf }, options);
  }

  async report({ by = 'tool_and_model', ...filter }: ReportOptions = {}): Promise<OutcomeReport> {
    const { ledger } = this.#ports;
    return outcomeReport(by, filter, await ledger.countObserved(filter), await ledger.countRatings(filter));
  }

  ofCall(call: CallKey): Promise<readonly TargetOutcome[]> {
    return this.#ports.ledger.ofCall(call);
  }

  async #notRateable(call: CallKey, runs: number): Promise<RuntimeError> {
    const callId = call.callId.slice(0, 100);
    const named = 'runId' in call ? `run "${call.runId.slice(0, 100)}"` : 'the runs of that correlation id';
    const what = `Cannot rate call "${callId}" of ${named}`;
    if (runs > 1) {
      return new RuntimeError(
        'CALL_NOT_RATEABLE',
        `${what}: expected one, found ${String(runs)} runs that share the correlation id and have such a call. ` +
          'Name the run by its own id.',
      );
    }
    const { run, call: hasRun } = await this.#ports.ledger.hasRun(call);
    if (!run) {
      return new RuntimeError(
        'RUN_NOT_FOUND',
        `${what}: no run of that name is in the store. Check the id, and that this is the store that the run was ` +
          'started on; of a run that was purged, only the calls that wrote a record are known.',
      );
    }
    return hasRun
      ? new RuntimeError(
          'CALL_NOT_RATEABLE',
          `${what}: expected a call that is known to have written a record, found one that is not. ` +
            'Where its outcome is unknown, resolve it first; a call that only reads has no outcome.',
        )
      : new RuntimeError(
          'CALL_NOT_FOUND',
          `${what}: no call of that id has run in it. Check the id: the run's trace has the ids of its calls.`,
        );
  }
}

function assertRating(rating: unknown): void {
  if (rating !== 'helpful' && rating !== 'not_helpful') {
    throw new RuntimeError(
      'INVALID_CONFIGURATION',
      "Cannot rate a call: expected 'helpful' or 'not_helpful', found something else.",
    );
  }
}
