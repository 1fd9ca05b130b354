import type { ObservedCount, OutcomeFilter, RatingCount } from './outcome-ledger.js';
import type { ObservedValue, UnknownReason } from './observed-outcome.js';

/** What the counts are told apart by. */
export type OutcomeGrouping = 'tool' | 'model' | 'tool_and_model';

export interface OutcomeGroup {
  /** Null where tools are not told apart. */
  readonly tool: string | null;
  /** Null where models are not told apart, or the model did not name itself. */
  readonly model: string | null;
}

/** What the content systems' histories say. Counted in records: one call may have written two. */
export interface ObservedGroup extends OutcomeGroup {
  /** All of them: decided, undecided and unknown. */
  readonly landed: number;
  readonly decided: number;
  readonly undecided: number;
  readonly unknown: number;
  readonly unknownReasons: Readonly<Partial<Record<UnknownReason, number>>>;
  readonly counts: Readonly<Record<ObservedValue, number>>;
  /** Of those that are decided, 0 to 1; null where none is. */
  readonly rates: Readonly<Record<ObservedValue, number>> | null;
}

/** What people say. Counted in calls that wrote a record. */
export interface ExplicitGroup extends OutcomeGroup {
  readonly calls: number;
  readonly rated: number;
  readonly unrated: number;
  readonly counts: Readonly<Record<'helpful' | 'not_helpful', number>>;
  /** Of those that are rated, 0 to 1; null where none is. */
  readonly rates: Readonly<Record<'helpful' | 'not_helpful', number>> | null;
}

/** The two sources beside each other. Nothing in it mixes them. */
export interface OutcomeReport {
  readonly by: OutcomeGrouping;
  readonly filter: { readonly tool: string | null; readonly from: string | null; readonly to: string | null };
  readonly observed: readonly ObservedGroup[];
  readonly explicit: readonly ExplicitGroup[];
}

/** Counts and rates, sorted by tool and model. */
export function outcomeReport(
  by: OutcomeGrouping,
  filter: OutcomeFilter,
  observed: readonly ObservedCount[],
  ratings: readonly RatingCount[],
): OutcomeReport {
  return {
    by,
    filter: {
      tool: filter.tool ?? null,
      from: filter.from?.toISOString() ?? null,
      to: filter.to?.toISOString() ?? null,
    },
    observed: groups(by, observed).map(observedGroup),
    explicit: groups(by, ratings).map(explicitGroup),
  };
}

function groups<Count extends ObservedCount | RatingCount>(
  by: OutcomeGrouping,
  counts: readonly Count[],
): readonly (readonly [OutcomeGroup, readonly Count[]])[] {
  const found = new Map<string, [OutcomeGroup, Count[]]>();
  for (const count of counts) {
    const group = {
      tool: by === 'model' ? null : count.tool,
      model: by === 'tool' ? null : count.model,
    };
    const key = JSON.stringify([group.tool, group.model]);
    const [, members] = found.get(key) ?? found.set(key, [group, []]).get(key) ?? [group, []];
    members.push(count);
  }
  return [...found.values()].sort(
    ([one], [other]) => byText(one.tool, other.tool) || byText(one.model, other.model),
  );
}

/** By code unit, so that the order is the same on every machine; what has no name comes last. */
function byText(one: string | null, other: string | null): number {
  if (one === null || other === null) {
    return Number(one === null) - Number(other === null);
  }
  return Number(one > other) - Number(one < other);
}

function observedGroup([group, rows]: readonly [OutcomeGroup, readonly ObservedCount[]]): ObservedGroup {
  const counts = {
    accepted_unchanged: sum(rows, ({ value }) => value === 'accepted_unchanged'),
    edited: sum(rows, ({ value }) => value === 'edited'),
    discarded: sum(rows, ({ value }) => value === 'discarded'),
  };
  const decided = counts.accepted_unchanged + counts.edited + counts.discarded;
  const unknown = rows.filter(({ value }) => value === 'unknown');
  const reasons = [...new Set(unknown.map(({ reason }) => reason))].sort();
  return {
    ...group,
    landed: sum(rows, () => true),
    decided,
    undecided: sum(rows, ({ value }) => value === null),
    unknown: sum(unknown, () => true),
    unknownReasons: Object.fromEntries(
      reasons.map((reason) => [reason, sum(unknown, (row) => row.reason === reason)] as const),
    ) as ObservedGroup['unknownReasons'],
    counts,
    rates:
      decided === 0
        ? null
        : {
            accepted_unchanged: counts.accepted_unchanged / decided,
            edited: counts.edited / decided,
            discarded: counts.discarded / decided,
          },
  };
}

function explicitGroup([group, rows]: readonly [OutcomeGroup, readonly RatingCount[]]): ExplicitGroup {
  const counts = {
    helpful: sum(rows, ({ value }) => value === 'helpful'),
    not_helpful: sum(rows, ({ value }) => value === 'not_helpful'),
  };
  const rated = counts.helpful + counts.not_helpful;
  return {
    ...group,
    calls: sum(rows, () => true),
    rated,
    unrated: sum(rows, ({ value }) => value === null),
    counts,
    rates: rated === 0 ? null : { helpful: counts.helpful / rated, not_helpful: counts.not_helpful / rated },
  };
}

function sum<Count extends { readonly count: number }>(
  rows: readonly Count[],
  belongs: (row: Count) => boolean,
): number {
  return rows.reduce((total, row) => total + (belongs(row) ? row.count : 0), 0);
}
