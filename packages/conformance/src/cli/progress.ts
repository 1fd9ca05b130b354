import { cutText, escapeText } from '../reporters/escape-text.js';
import type { Terminal } from './terminal.js';

const QUIET_MS = 1000;
const MAX_LENGTH = 78;

const STAGES = {
  load: 'Loading',
  discover: 'Finding tools in',
  facts: 'Following',
  rules: 'Judging',
} as const;

export interface ProgressStep {
  readonly stage: keyof typeof STAGES;
  readonly subject: string;
  readonly done: number;
  readonly total: number;
}

/** One line on a terminal's error stream that says what is going on, once a run has taken a second. */
export class Progress {
  readonly #terminal: Terminal;
  readonly #startedAt: number;
  #isShown = false;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
    this.#startedAt = terminal.now();
  }

  step({ stage, subject, done, total }: ProgressStep): void {
    const { stderr } = this.#terminal;
    if (stderr.isTTY !== true || this.#terminal.now() - this.#startedAt < QUIET_MS) {
      return;
    }
    const count = total > 1 ? ` (${String(Math.min(done + 1, total))} of ${String(total)})` : '';
    const text = cutText(`${STAGES[stage]} ${escapeText(subject)}${count}`, MAX_LENGTH);
    stderr.write(`\r\u001B[K${text}`);
    this.#isShown = true;
  }

  clear(): void {
    if (this.#isShown) {
      this.#terminal.stderr.write('\r\u001B[K');
      this.#isShown = false;
    }
  }
}
