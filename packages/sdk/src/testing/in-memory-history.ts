import type { ContentHistory, HistoryReading } from '../content/content-history.js';
import type { WriteTarget } from '../target/write-target.js';
import type { InMemoryStore } from './in-memory-store.js';

interface Mark {
  readonly birth: number;
  readonly sequence: number;
}

/** The history of the in-memory content: a mark names the entry that the write made. */
export class InMemoryHistory implements ContentHistory {
  readonly #store: InMemoryStore;

  constructor(store: InMemoryStore) {
    this.#store = store;
  }

  async mark(target: WriteTarget): Promise<string | null> {
    const entry = this.#store.historyOf(target).at(-1);
    return entry === undefined ? null : JSON.stringify({ birth: entry.birth, sequence: entry.sequence });
  }

  async since(target: WriteTarget, mark: string): Promise<HistoryReading> {
    const marked = parseMark(mark);
    if (marked === null) {
      return { kind: 'unknown', reason: 'mark_unreadable' };
    }
    const entries = this.#store.historyOf(target);
    if (!entries.some(({ sequence }) => sequence === marked.sequence)) {
      return { kind: 'unknown', reason: 'purged' };
    }
    const birth = this.#store.birthOf(target);
    if (birth !== null && birth !== marked.birth) {
      return { kind: 'unknown', reason: 'uid_reused' };
    }
    return {
      kind: 'entries',
      entries: entries
        .filter((entry) => entry.sequence > marked.sequence)
        .map(({ id, kind, at, runId }) => ({ id, kind, at, runId })),
    };
  }
}

function parseMark(text: string): Mark | null {
  try {
    const { birth, sequence } = JSON.parse(text) as Partial<Mark>;
    return Number.isSafeInteger(birth) && Number.isSafeInteger(sequence)
      ? { birth: Number(birth), sequence: Number(sequence) }
      : null;
  } catch {
    return null;
  }
}
