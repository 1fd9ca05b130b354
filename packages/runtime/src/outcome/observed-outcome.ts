import type { HistoryAuthor, HistoryContent, HistoryEntry, HistoryReading } from '@toolwright/sdk';

/** What became of a record that a tool wrote, by the content system's own history. */
export type ObservedValue = 'accepted_unchanged' | 'edited' | 'discarded';

/** What decided. See docs/decisions/0017. */
export type DecidedReason =
  'released_unchanged' | 'released_changed' | 'released_as_before' | 'restored_as_before' | 'deleted';

/** Why there is no outcome yet. */
export type UndecidedReason =
  'untouched' | 'not_released' | 'released_by_a_run' | 'superseded_by_a_run' | 'deleted_by_a_run';

/** Why nobody can say. The first three stay so for good, the others may be known at a later time. */
export type UnknownReason =
  | 'no_mark'
  | 'purged'
  | 'uid_reused'
  | 'mark_unreadable'
  | 'no_history'
  | 'author_unknown'
  | 'content_unknown';

const FINAL: ReadonlySet<UnknownReason> = new Set(['no_mark', 'purged', 'uid_reused']);

/** Whether a later look can find nothing else: what was not kept, or was deleted, does not come back. */
export function isFinal(reason: UnknownReason): boolean {
  return FINAL.has(reason);
}

/** Whether a later look may find something else than what was kept. */
export function mayChange(
  observed: { readonly value: ObservedValue } | { readonly value: 'unknown'; readonly reason: UnknownReason },
): boolean {
  return observed.value === 'unknown' && !isFinal(observed.reason);
}

/** What a history says about one write target, and by which of its entries. */
export type Observation =
  | {
      readonly kind: 'decided';
      readonly value: ObservedValue;
      readonly reason: DecidedReason;
      readonly entries: readonly string[];
    }
  | {
      readonly kind: 'unknown';
      readonly reason: UnknownReason;
      readonly entries: readonly string[];
    }
  | { readonly kind: 'undecided'; readonly reason: UndecidedReason };

/** Which entry took the written fields away from what the tool wrote, and who made it. */
interface Divergence {
  readonly id: string;
  readonly by: HistoryAuthor['kind'] | 'content_unknown';
}

/**
 * What a reading decides about a write. The first event that decides does so for good: what comes after it changes
 * nothing, so that it does not matter when, or how often, somebody looks.
 *
 * @param reading null where no history is known for the table.
 */
export function observe(mark: string | null, reading: HistoryReading | null): Observation {
  if (mark === null) {
    return unknown('no_mark');
  }
  if (reading === null) {
    return unknown('no_history');
  }
  if (reading.kind === 'unknown') {
    return unknown(reading.reason);
  }
  let divergence: Divergence | null = null;
  for (const entry of reading.entries) {
    divergence = diverged(divergence, entry);
    const decision = decisionAt(entry, divergence);
    if (decision !== null) {
      return decision;
    }
  }
  return { kind: 'undecided', reason: whyUndecided(reading.entries, divergence) };
}

/** The newest step away from the tool's content; going back to that content undoes it. */
function diverged(before: Divergence | null, { id, author, content }: HistoryEntry): Divergence | null {
  switch (content) {
    case 'same':
      return null;
    case 'unknown':
      return before ?? { id, by: 'content_unknown' };
    case 'before':
    case 'different':
      // The change may have been made by an entry that does not say so.
      return before?.by === 'content_unknown'
        ? { id: before.id, by: 'unknown' }
        : (before ?? { id, by: author.kind });
  }
}

function decisionAt(entry: HistoryEntry, divergence: Divergence | null): Observation | null {
  const { id, kind, author, content } = entry;
  const isPutBack = kind === 'restored' && content === 'before' && divergence?.id === id;
  if (author.kind === 'run' || (kind !== 'released' && kind !== 'deleted' && !isPutBack)) {
    return null;
  }
  if (author.kind === 'unknown') {
    return unknown('author_unknown', [id]);
  }
  if (kind === 'deleted') {
    return decided('discarded', 'deleted', [id]);
  }
  return isPutBack ? decided('discarded', 'restored_as_before', [id]) : releasedWith(id, content, divergence);
}

/** Somebody outside of the tools' runs put this content before the readers. */
function releasedWith(
  id: string,
  content: HistoryContent,
  divergence: Divergence | null,
): Observation | null {
  if (content === 'unknown') {
    return unknown('content_unknown', [id]);
  }
  if (content === 'same' || divergence === null) {
    return decided('accepted_unchanged', 'released_unchanged', [id]);
  }
  const entries = divergence.id === id ? [id] : [divergence.id, id];
  switch (divergence.by) {
    case 'outside':
      return content === 'before'
        ? decided('discarded', 'released_as_before', entries)
        : decided('edited', 'released_changed', entries);
    case 'run':
      // What was released is another write's content; whoever released it has not judged this one.
      return null;
    case 'unknown':
    case 'content_unknown':
      return unknown('author_unknown', entries);
  }
}

function whyUndecided(entries: readonly HistoryEntry[], divergence: Divergence | null): UndecidedReason {
  const ofRuns = entries.filter(({ author }) => author.kind === 'run');
  if (entries.length === 0) return 'untouched';
  if (divergence?.by === 'run') return 'superseded_by_a_run';
  if (ofRuns.some(({ kind }) => kind === 'deleted')) return 'deleted_by_a_run';
  return ofRuns.some(({ kind }) => kind === 'released') ? 'released_by_a_run' : 'not_released';
}

function decided(value: ObservedValue, reason: DecidedReason, entries: readonly string[]): Observation {
  return { kind: 'decided', value, reason, entries };
}

function unknown(reason: UnknownReason, entries: readonly string[] = []): Observation {
  return { kind: 'unknown', reason, entries };
}
