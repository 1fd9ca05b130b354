import fc from 'fast-check';
import type { HistoryAuthor, HistoryContent, HistoryEntry } from '@toolwright/sdk';
import { describe, expect, it } from 'vitest';
import { isFinal, observe, type Observation } from './observed-outcome.js';

const OWN: HistoryAuthor = { kind: 'run', runId: 'run-1' };
const OTHER: HistoryAuthor = { kind: 'run', runId: 'run-2' };
const PERSON: HistoryAuthor = { kind: 'outside' };
const NOBODY_KNOWS: HistoryAuthor = { kind: 'unknown' };

type Event = readonly [HistoryEntry['kind'], HistoryAuthor, HistoryContent];

/** The entries get the ids e1, e2, … */
function read(...events: readonly Event[]): Observation {
  return observe('mark', { kind: 'entries', entries: entriesOf(events) });
}

function entriesOf(events: readonly Event[]): readonly HistoryEntry[] {
  return events.map(([kind, author, content], index) => ({
    id: `e${String(index + 1)}`,
    kind,
    at: new Date(index),
    author,
    content,
  }));
}

const accepted = (...entries: string[]) => ({
  kind: 'decided',
  value: 'accepted_unchanged',
  reason: 'released_unchanged',
  entries,
});
const edited = (...entries: string[]) => ({
  kind: 'decided',
  value: 'edited',
  reason: 'released_changed',
  entries,
});
const discarded = (reason: string, ...entries: string[]) => ({
  kind: 'decided',
  value: 'discarded',
  reason,
  entries,
});
const undecided = (reason: string) => ({ kind: 'undecided', reason });
const unknown = (reason: string, ...entries: string[]) => ({ kind: 'unknown', reason, entries });

describe('a write is accepted unchanged', () => {
  it.each<[string, readonly Event[], readonly string[]]>([
    ['a person released it untouched', [['released', PERSON, 'same']], ['e1']],
    [
      'a person edited it, took that back, and released it',
      [
        ['changed', PERSON, 'different'],
        ['changed', PERSON, 'same'],
        ['released', PERSON, 'same'],
      ],
      ['e3'],
    ],
    [
      'a person edited only another locale before the release',
      [
        ['changed', PERSON, 'same'],
        ['released', PERSON, 'same'],
      ],
      ['e2'],
    ],
    [
      'a person edited it after the release',
      [
        ['released', PERSON, 'same'],
        ['released', PERSON, 'different'],
      ],
      ['e1'],
    ],
    [
      'a person unpublished and deleted it after the release',
      [
        ['released', PERSON, 'same'],
        ['unreleased', PERSON, 'same'],
        ['deleted', PERSON, 'same'],
      ],
      ['e1'],
    ],
    [
      'a tool had released it, and a person released it again',
      [
        ['released', OWN, 'same'],
        ['released', PERSON, 'same'],
      ],
      ['e2'],
    ],
    [
      'another run changed it, and a person put it back before the release',
      [
        ['changed', OTHER, 'different'],
        ['released', PERSON, 'same'],
      ],
      ['e2'],
    ],
  ])('when %s', (_when, events, entries) => {
    expect(read(...events)).toEqual(accepted(...entries));
  });
});

describe('a write was edited', () => {
  it.each<[string, readonly Event[], readonly string[]]>([
    ['a person changed it with the release', [['released', PERSON, 'different']], ['e1']],
    [
      'a person changed it before the release',
      [
        ['changed', PERSON, 'different'],
        ['changed', PERSON, 'different'],
        ['released', PERSON, 'different'],
      ],
      ['e1', 'e3'],
    ],
    [
      'a person changed it after a tool had released it',
      [
        ['released', OWN, 'same'],
        ['released', PERSON, 'different'],
      ],
      ['e2'],
    ],
    [
      'another run changed it once more after the person had',
      [
        ['changed', PERSON, 'different'],
        ['changed', OTHER, 'different'],
        ['released', PERSON, 'different'],
      ],
      ['e1', 'e3'],
    ],
    [
      'it was edited anew after an edit that was taken back',
      [
        ['changed', PERSON, 'different'],
        ['changed', PERSON, 'same'],
        ['changed', PERSON, 'different'],
        ['released', PERSON, 'different'],
      ],
      ['e3', 'e4'],
    ],
  ])('when %s', (_when, events, entries) => {
    expect(read(...events)).toEqual(edited(...entries));
  });
});

describe('a write was discarded', () => {
  it.each<[string, readonly Event[], string, readonly string[]]>([
    ['a person deleted it', [['deleted', PERSON, 'same']], 'deleted', ['e1']],
    [
      'a person edited and then deleted it',
      [
        ['changed', PERSON, 'different'],
        ['deleted', PERSON, 'different'],
      ],
      'deleted',
      ['e2'],
    ],
    [
      'it was taken out of the trash again',
      [
        ['deleted', PERSON, 'same'],
        ['restored', PERSON, 'same'],
        ['released', PERSON, 'same'],
      ],
      'deleted',
      ['e1'],
    ],
    [
      'a person released the version from before it',
      [['released', PERSON, 'before']],
      'released_as_before',
      ['e1'],
    ],
    [
      'a person restored the version from before it, and released that',
      [
        ['changed', PERSON, 'before'],
        ['released', PERSON, 'before'],
      ],
      'released_as_before',
      ['e1', 'e2'],
    ],
    [
      'it was a deletion, and a person put the record back',
      [['restored', PERSON, 'before']],
      'restored_as_before',
      ['e1'],
    ],
    [
      'it was a deletion, and a person put the record back after a run had looked at it',
      [
        ['changed', OTHER, 'same'],
        ['restored', PERSON, 'before'],
      ],
      'restored_as_before',
      ['e2'],
    ],
  ])('when %s', (_when, events, reason, entries) => {
    expect(read(...events)).toEqual(discarded(reason, ...entries));
  });
});

describe('a write has no outcome yet', () => {
  it.each<[string, readonly Event[], string]>([
    ['nothing has happened', [], 'untouched'],
    ['a person edited it and released nothing', [['changed', PERSON, 'different']], 'not_released'],
    ['a person unpublished it', [['unreleased', PERSON, 'same']], 'not_released'],
    ['a person put an older version back as a draft', [['changed', PERSON, 'before']], 'not_released'],
    ['its own run released it', [['released', OWN, 'same']], 'released_by_a_run'],
    ['another run released it', [['released', OTHER, 'same']], 'released_by_a_run'],
    [
      'its own run released it and a person unpublished it',
      [
        ['released', OWN, 'same'],
        ['unreleased', PERSON, 'same'],
      ],
      'released_by_a_run',
    ],
    ['another run deleted it', [['deleted', OTHER, 'same']], 'deleted_by_a_run'],
    [
      'another run deleted it and a person took it out of the trash',
      [
        ['deleted', OTHER, 'same'],
        ['restored', PERSON, 'same'],
      ],
      'deleted_by_a_run',
    ],
    [
      'its own run wrote it once more, and a person released that',
      [
        ['changed', OWN, 'different'],
        ['released', PERSON, 'different'],
      ],
      'superseded_by_a_run',
    ],
    [
      'another run wrote it, and a person edited and released that',
      [
        ['changed', OTHER, 'different'],
        ['changed', PERSON, 'different'],
        ['released', PERSON, 'different'],
      ],
      'superseded_by_a_run',
    ],
    [
      'another run put the content from before it back, and a person released that',
      [
        ['changed', OTHER, 'before'],
        ['released', PERSON, 'before'],
      ],
      'superseded_by_a_run',
    ],
    ['another run released something else', [['released', OTHER, 'different']], 'superseded_by_a_run'],
    [
      'a person reverted it, a run deleted it, and the person took that out of the trash',
      [
        ['changed', PERSON, 'before'],
        ['deleted', OTHER, 'before'],
        ['restored', PERSON, 'before'],
      ],
      'deleted_by_a_run',
    ],
  ])('when %s', (_when, events, reason) => {
    expect(read(...events)).toEqual(undecided(reason));
  });
});

describe('what became of a write is unknown', () => {
  it('when there is no mark, even where a history could be asked', () => {
    expect(observe(null, { kind: 'entries', entries: entriesOf([['released', PERSON, 'same']]) })).toEqual(
      unknown('no_mark'),
    );
  });

  it('when the table has no history', () => {
    expect(observe('mark', null)).toEqual(unknown('no_history'));
  });

  it.each(['purged', 'uid_reused', 'mark_unreadable'] as const)('when the history says %s', (reason) => {
    expect(observe('mark', { kind: 'unknown', reason })).toEqual(unknown(reason));
  });

  it.each<[string, readonly Event[], string, readonly string[]]>([
    ['nobody knows who deleted it', [['deleted', NOBODY_KNOWS, 'unknown']], 'author_unknown', ['e1']],
    ['nobody knows who released it', [['released', NOBODY_KNOWS, 'same']], 'author_unknown', ['e1']],
    [
      'nobody knows who changed it before the release',
      [
        ['changed', NOBODY_KNOWS, 'different'],
        ['released', PERSON, 'different'],
      ],
      'author_unknown',
      ['e1', 'e2'],
    ],
    [
      'the release was kept without its content',
      [['released', PERSON, 'unknown']],
      'content_unknown',
      ['e1'],
    ],
    [
      'an entry without content may have been the change',
      [
        ['changed', OTHER, 'unknown'],
        ['released', PERSON, 'different'],
      ],
      'author_unknown',
      ['e1', 'e2'],
    ],
  ])('when %s', (_when, events, reason, entries) => {
    expect(read(...events)).toEqual(unknown(reason, ...entries));
  });

  it('stays so for good when what was not kept, or was deleted, would have to come back', () => {
    const reasons = ['no_mark', 'purged', 'uid_reused', 'mark_unreadable', 'no_history'] as const;
    expect(reasons.filter(isFinal)).toEqual(['no_mark', 'purged', 'uid_reused']);
    expect(isFinal('author_unknown') || isFinal('content_unknown')).toBe(false);
  });
});

describe('an outcome', () => {
  const event: fc.Arbitrary<Event> = fc.tuple(
    fc.constantFrom('changed', 'released', 'unreleased', 'deleted', 'restored'),
    fc.constantFrom(OWN, OTHER, PERSON, NOBODY_KNOWS),
    fc.constantFrom('same', 'before', 'different', 'unknown'),
  );

  it('is the same whenever somebody looks: a reading that decides is not changed by what comes after', () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 8 }), fc.nat(8), (events, cut) => {
        const early = read(...events.slice(0, cut));
        fc.pre(early.kind !== 'undecided');
        expect(read(...events)).toEqual(early);
      }),
      { numRuns: 2_000 },
    );
  });

  it('is never decided by tools alone', () => {
    const byRuns = event.map(([kind, author, content]): Event => [
      kind,
      author.kind === 'run' ? author : OTHER,
      content,
    ]);
    fc.assert(
      fc.property(fc.array(byRuns, { maxLength: 8 }), (events) => {
        expect(read(...events).kind).toBe('undecided');
      }),
    );
  });

  it('is an edit only with an entry of somebody outside that took the content away', () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 8 }), (events) => {
        const observation = read(...events);
        fc.pre(observation.kind === 'decided' && observation.value === 'edited');
        const entries = entriesOf(events);
        const of = (id: string | undefined) => entries.find((entry) => entry.id === id);
        const [first, last] = [of(observation.entries[0]), of(observation.entries.at(-1))];
        expect(first?.author.kind).toBe('outside');
        expect(first?.content).not.toBe('same');
        expect(last).toMatchObject({ kind: 'released', author: PERSON, content: 'different' });
      }),
      { numRuns: 300 },
    );
  });
});
