import { isDeepStrictEqual } from 'node:util';
import type { ContentData } from '../content/content-access.js';
import type { ContentHistory, HistoryContent, HistoryReading } from '../content/content-history.js';
import type { ContentWrite } from '../content/raw-content-handler.js';
import type { WriteTarget } from '../target/write-target.js';
import type { InMemoryStore, StoredEntry } from './in-memory-store.js';

interface Mark {
  readonly birth: number;
  readonly sequence: number;
  /** The fields that were written; null for a deletion. */
  readonly fields: readonly string[] | null;
}

/** The history of the in-memory content: a mark names the entry that the write made. */
export class InMemoryHistory implements ContentHistory {
  readonly #store: InMemoryStore;

  constructor(store: InMemoryStore) {
    this.#store = store;
  }

  async mark(target: WriteTarget, write: ContentWrite): Promise<string | null> {
    const entry = this.#store.historyOf(target).at(-1);
    const fields = write.kind === 'delete' ? null : Object.keys(write.data);
    return entry === undefined
      ? null
      : JSON.stringify({ birth: entry.birth, sequence: entry.sequence, fields } satisfies Mark);
  }

  async since(target: WriteTarget, text: string): Promise<HistoryReading> {
    const mark = parseMark(text);
    if (mark === null) {
      return { kind: 'unknown', reason: 'mark_unreadable' };
    }
    const entries = this.#store.historyOf(target);
    const marked = entries.find(({ sequence }) => sequence === mark.sequence);
    if (marked === undefined) {
      return { kind: 'unknown', reason: 'purged' };
    }
    const birth = this.#store.birthOf(target);
    if (birth !== null && birth !== mark.birth) {
      return { kind: 'unknown', reason: 'uid_reused' };
    }
    return {
      kind: 'entries',
      entries: entries
        .filter(({ sequence }) => sequence > mark.sequence)
        .map((entry) => {
          const { id, kind, at, author } = entry;
          return { id, kind, at, author, content: contentOf(entry, marked, mark) };
        }),
    };
  }
}

function contentOf(entry: StoredEntry, marked: StoredEntry, { fields }: Mark): HistoryContent {
  const found = entry.after ?? (fields === null ? null : entry.before);
  if (isSame(found, marked.after, fields)) {
    return 'same';
  }
  return marked.before !== null && isSame(found, marked.before, fields) ? 'before' : 'different';
}

/** Without fields to look at, the whole record counts. */
function isSame(
  one: ContentData | null,
  other: ContentData | null,
  fields: readonly string[] | null,
): boolean {
  return one === null || other === null || fields === null
    ? isDeepStrictEqual(one, other)
    : fields.every((field) => isDeepStrictEqual(one[field], other[field]));
}

function parseMark(text: string): Mark | null {
  try {
    const { birth, sequence, fields } = JSON.parse(text) as Partial<Mark>;
    return Number.isSafeInteger(birth) &&
      Number.isSafeInteger(sequence) &&
      (fields === null || (Array.isArray(fields) && fields.every((field) => typeof field === 'string')))
      ? { birth: Number(birth), sequence: Number(sequence), fields }
      : null;
  } catch {
    return null;
  }
}
