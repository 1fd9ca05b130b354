import type { EvidenceTarget, LateEvidence, RunRecord, StoredRun } from '../audit/run-journal.js';
import { markedTarget } from '../audit/stored-target.js';
import type { Step } from '../audit/step.js';
import { modelName, recordsOf } from '../outcome/landed-records.js';
import { mayChange } from '../outcome/observed-outcome.js';
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
} from '../outcome/outcome-ledger.js';
import { targetId } from '../outcome/target-id.js';

/** Landed targets and their outcomes in the memory of one process, as {@link OutcomeLedger} says. */
export class MemoryOutcomeLedger implements OutcomeLedger {
  readonly #read: (runId: string) => Pick<StoredRun, 'run' | 'steps'> | null;
  readonly #runsOf: (correlationId: string) => readonly string[];
  readonly #targets = new Map<string, LandedTarget>();
  readonly #observed = new Map<string, ObservedOutcome>();
  readonly #ratings = new Map<string, Rating>();

  constructor(
    read: (runId: string) => Pick<StoredRun, 'run' | 'steps'> | null,
    runsOf: (correlationId: string) => readonly string[],
  ) {
    this.#read = read;
    this.#runsOf = runsOf;
  }

  /** Puts in what these steps name; `before` are the steps of the run so far, these among them. */
  land(run: RunRecord, before: readonly Step[], steps: readonly Step[]): void {
    for (const step of steps) {
      if (step.kind === 'write_target') {
        const { callId, tool, mark, at } = step;
        const record = markedTarget(step, mark);
        this.#put(run, before, { callId, tool, record, landedAt: at }, true);
      }
    }
  }

  /** Puts in what late evidence names, where no step has named it before. */
  landLate(run: RunRecord, steps: readonly Step[], evidence: LateEvidence, landedAt: string): void {
    const { callId, tool } = evidence;
    for (const record of recordsOf(evidence)) {
      this.#put(run, steps, { callId, tool, record, landedAt }, false);
    }
  }

  #put(
    { runId, correlationId }: RunRecord,
    steps: readonly Step[],
    landed: Pick<LandedTarget, 'callId' | 'tool' | 'landedAt'> & { readonly record: EvidenceTarget },
    isNewest: boolean,
  ): void {
    const { callId, tool, record, landedAt } = landed;
    const { table, uid, mark = null } = record;
    const id = targetId(runId, callId, record);
    const known = this.#targets.get(id);
    if (known === undefined) {
      const model = askedBy(steps, callId);
      const target = { table, uid };
      this.#targets.set(id, { id, runId, correlationId, callId, tool, model, target, mark, landedAt });
    } else if (isNewest && this.#isOpen(id)) {
      this.#targets.set(id, { ...known, mark: mark ?? known.mark, landedAt });
    }
  }

  open(filter: OpenFilter, after: TargetCursor | null, limit: number): Promise<readonly LandedTarget[]> {
    const found = this.#matching(filter)
      .filter(
        ({ id }) =>
          this.#isOpen(id) || (filter.again === true && this.#observed.get(id)?.value === 'unknown'),
      )
      .filter((target) => after === null || compare(target, after) > 0)
      .sort(compare);
    return Promise.resolve(found.slice(0, limit));
  }

  keep(findings: readonly Finding[]): Promise<void> {
    for (const { target, observed } of findings) {
      const known = this.#observed.get(target.id);
      if (known !== undefined && known.value !== 'unknown') {
        continue;
      }
      if (observed === null) {
        this.#observed.delete(target.id);
      } else if (known?.reason !== observed.reason) {
        this.#observed.set(target.id, observed);
      }
    }
    return Promise.resolve();
  }

  ofCall(key: CallKey): Promise<readonly TargetOutcome[]> {
    const found = [...this.#targets.values()]
      .filter(
        ({ callId, runId, correlationId }) =>
          callId === key.callId &&
          ('runId' in key ? runId === key.runId : correlationId === key.correlationId),
      )
      .sort(compare);
    return Promise.resolve(
      found.map(({ mark: _mark, ...target }) => ({
        ...target,
        observed: this.#observed.get(target.id) ?? null,
        rating: this.#ratings.get(callName(target)) ?? null,
      })),
    );
  }

  hasRun(key: CallKey): Promise<{ readonly run: boolean; readonly call: boolean }> {
    const ids = 'runId' in key ? [key.runId] : this.#runsOf(key.correlationId);
    const runs = ids.flatMap((runId) => this.#read(runId) ?? []);
    const isCall = (step: Step): boolean => step.kind === 'tool' && step.callId === key.callId;
    return Promise.resolve({ run: runs.length > 0, call: runs.some(({ steps }) => steps.some(isCall)) });
  }

  rate(runId: string, callId: string, rating: Rating): Promise<void> {
    this.#ratings.set(callName({ runId, callId }), rating);
    return Promise.resolve();
  }

  countObserved(filter: OutcomeFilter): Promise<readonly ObservedCount[]> {
    return Promise.resolve(
      counted(
        this.#matching(filter).map(({ id, tool, model }) => {
          const { value = null, reason = null } = this.#observed.get(id) ?? {};
          return { tool, model, value, reason };
        }),
      ),
    );
  }

  countRatings(filter: OutcomeFilter): Promise<readonly RatingCount[]> {
    const calls = new Map(this.#matching(filter).map((target) => [callName(target), target]));
    return Promise.resolve(
      counted(
        [...calls].map(([name, { tool, model }]) => ({
          tool,
          model,
          value: this.#ratings.get(name) ?? null,
        })),
      ),
    );
  }

  #isOpen(id: string): boolean {
    const observed = this.#observed.get(id);
    return observed === undefined || mayChange(observed);
  }

  #matching({ tool, from, to }: OutcomeFilter): LandedTarget[] {
    return [...this.#targets.values()].filter((target) => {
      const at = Date.parse(target.landedAt);
      return (
        (tool === undefined || target.tool === tool) &&
        (from === undefined || at >= from.getTime()) &&
        (to === undefined || at < to.getTime())
      );
    });
  }
}

function compare(one: TargetCursor, other: TargetCursor): number {
  const byTime = Date.parse(one.landedAt) - Date.parse(other.landedAt);
  return byTime !== 0 ? byTime : Number(one.id > other.id) - Number(one.id < other.id);
}

function callName({ runId, callId }: { readonly runId: string; readonly callId: string }): string {
  return JSON.stringify([runId, callId]);
}

function askedBy(steps: readonly Step[], callId: string): string | null {
  const own = steps.findIndex((step) => 'callId' in step && step.callId === callId);
  const before = own === -1 ? steps : steps.slice(0, own);
  const answer = before.findLast((step) => step.kind === 'model');
  return answer?.kind === 'model' ? modelName(answer.model) : null;
}

function counted<T extends object>(rows: readonly T[]): readonly (T & { readonly count: number })[] {
  const counts = new Map<string, T & { count: number }>();
  for (const row of rows) {
    const key = JSON.stringify(Object.entries(row));
    const known = counts.get(key) ?? { ...row, count: 0 };
    known.count += 1;
    counts.set(key, known);
  }
  return [...counts.values()];
}
