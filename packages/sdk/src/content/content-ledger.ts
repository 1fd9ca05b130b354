import type { SdkError } from '../errors.js';
import type { WriteTarget } from '../target/write-target.js';
import { noteLine, type Failure, type NotePhase } from './failure-note.js';

/** A record that a call is known to have written, with the history mark taken then. */
export interface LandedWrite {
  readonly target: WriteTarget;
  /** See ContentHistory.mark; null without a history. */
  readonly mark: string | null;
}

interface Noted {
  readonly failure: Failure;
  readonly phase: () => NotePhase;
}

/** What one call did to the content, as it becomes known. Every call has its own. */
export class ContentLedger {
  readonly #landed: LandedWrite[] = [];
  readonly #noted: Noted[] = [];
  #failedWrite: SdkError | null = null;
  #pending = 0;

  /** Counts a write that was started, until it settles. */
  begin(): () => void {
    this.#pending += 1;
    return () => {
      this.#pending -= 1;
    };
  }

  pendingWrites(): number {
    return this.#pending;
  }

  /** Adds a landed record at once; its mark follows when it was taken. */
  land(target: WriteTarget): (mark: string) => void {
    const index = this.#landed.push({ target, mark: null }) - 1;
    return (mark) => {
      this.#landed[index] = { target, mark };
    };
  }

  landed(): readonly LandedWrite[] {
    return [...this.#landed];
  }

  /** `phase` is asked when the notes are read: the run may turn out otherwise after the failure. */
  note(failure: Failure, phase: () => NotePhase): void {
    this.#noted.push({ failure, phase });
  }

  notes(): readonly string[] {
    return this.#noted.map(({ failure, phase }) => noteLine(failure, phase()));
  }

  fail(error: SdkError): void {
    this.#failedWrite = error;
  }

  failedWrite(): SdkError | null {
    return this.#failedWrite;
  }
}
