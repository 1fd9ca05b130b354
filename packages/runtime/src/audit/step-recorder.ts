import type { Logger } from '@toolwright/sdk';
import { errorClass } from '@toolwright/sdk';
import type { TimeSource } from '../time/time-source.js';
import type { RunTransition } from '../run/lifecycle.js';
import type { RunJournal } from './run-journal.js';
import { RunState } from './run-state.js';
import type { Step, StepBody } from './step.js';

/**
 * Records the steps of one hold on a run. It never throws: it answers whether the steps are stored.
 * Steps that could not be stored wait here and go first into the next unit, so the stored trace never
 * has a gap.
 */
export class StepRecorder {
  readonly state: RunState;
  readonly #journal: RunJournal;
  readonly #time: TimeSource;
  readonly #logger: Logger;
  readonly #steps: Step[];
  #unstored: Step[] = [];

  constructor(journal: RunJournal, time: TimeSource, logger: Logger) {
    this.#journal = journal;
    this.#time = time;
    this.#logger = logger;
    this.#steps = [...journal.steps];
    this.state = RunState.from(journal.steps);
  }

  /** The trace as this hold knows it, stored or not. */
  get steps(): readonly Step[] {
    return this.#steps;
  }

  /** Whether a step so far is not stored. */
  get hasUnstored(): boolean {
    return this.#unstored.length > 0;
  }

  /** Records one unit: all of it is stored together, or none. */
  async recordStep(unit: readonly StepBody[], transition?: RunTransition): Promise<boolean> {
    const at = this.#time.now().toISOString();
    const placed = unit.map((body, index) => ({ ...body, seq: this.state.lastSeq + index + 1, at }));
    for (const step of placed) {
      this.#steps.push(step);
      this.state.apply(step);
    }
    this.#unstored.push(...placed);
    return this.#store(transition);
  }

  /** Whether every step so far is stored; what is not is offered to the store once more. */
  async isAllStored(): Promise<boolean> {
    return this.#unstored.length === 0 || (await this.#store());
  }

  async #store(transition?: RunTransition): Promise<boolean> {
    const unit = this.#unstored;
    let isStored = false;
    try {
      isStored = await this.#journal.record(unit, transition);
    } catch (error) {
      // A journal promises not to throw; one that does has stored nothing that could be relied on.
      this.#logger.error('The journal threw while it recorded steps.', { error: errorClass(error) });
    }
    if (isStored) {
      this.#unstored = [];
    } else {
      const { runId, correlationId } = this.#journal.run;
      const kinds = unit.map(({ kind }) => kind);
      this.#logger.error('Steps of a run could not be stored.', { runId, correlationId, kinds });
    }
    return isStored;
  }
}
