import type { ContentHistory } from '@toolwright/sdk';

const SAMPLE_EVERY = 250;

export interface Cost {
  readonly msPerTarget: number;
  readonly cpuMsPerTarget: number;
  /** Most that was alive during the derivation, more than before it. */
  readonly liveBytes: number;
}

/** A history that looks now and then how much is alive. */
export class SampledHistory implements ContentHistory {
  readonly #history: ContentHistory;
  readonly #gc: () => void;
  #asked = 0;
  #most = 0;
  #samplingMs = 0;
  #samplingCpu = 0;

  constructor(history: ContentHistory, collect: () => void) {
    this.#history = history;
    this.#gc = collect;
  }

  mark: ContentHistory['mark'] = (target, write) => this.#history.mark(target, write);

  since: ContentHistory['since'] = (target, mark) => {
    this.#asked += 1;
    if (this.#asked % SAMPLE_EVERY === 0) {
      this.#most = Math.max(this.#most, this.#live());
    }
    return this.#history.since(target, mark);
  };

  async during<T>(
    work: () => Promise<T>,
    targets: number,
  ): Promise<{ readonly found: T; readonly cost: Cost }> {
    // What is released only in later turns of the event loop would count as alive.
    for (let turn = 0; turn < 3; turn += 1) {
      this.#live();
      await new Promise(setImmediate);
    }
    const before = this.#live();
    [this.#most, this.#samplingMs, this.#samplingCpu] = [before, 0, 0];
    const cpu = process.cpuUsage();
    const start = performance.now();
    const found = await work();
    const ms = performance.now() - start - this.#samplingMs;
    const { user, system } = process.cpuUsage(cpu);
    return {
      found,
      cost: {
        msPerTarget: ms / targets,
        cpuMsPerTarget: (user + system - this.#samplingCpu) / 1_000 / targets,
        liveBytes: this.#most - before,
      },
    };
  }

  #live(): number {
    const cpu = process.cpuUsage();
    const start = performance.now();
    this.#gc();
    const { heapUsed, external } = process.memoryUsage();
    const { user, system } = process.cpuUsage(cpu);
    this.#samplingMs += performance.now() - start;
    this.#samplingCpu += user + system;
    return heapUsed + external;
  }
}
