import {
  WriteTarget,
  errorClass,
  type ContentHistory,
  type HistoryEntry,
  type HistoryReading,
  type Logger,
} from '@toolwright/sdk';
import { RuntimeError } from '../errors.js';
import type { TimeSource } from '../time/time-source.js';
import { observe, type ObservedValue } from './observed-outcome.js';
import type { Finding, LandedTarget, OpenFilter, OutcomeLedger, TargetCursor } from './outcome-ledger.js';

const DEFAULT_PAGE = 100;
const MAX_PAGE = 1_000;
const DEFAULT_AT_ONCE = 4;
const MAX_AT_ONCE = 64;
/** As many as ever decide: a change and the release of it. */
const MAX_ENTRIES = 2;
const MAX_ENTRY_ID = 255;
/** A system that is down fails for every record. */
const MAX_LOGGED = 5;

/** The history of a table's records, or null where there is none. */
export type HistoryOf = (table: string) => ContentHistory | null;

export interface DeriveOptions extends OpenFilter {
  /** Stops after the page that is under way. */
  readonly signal?: AbortSignal;
  /** How many targets are read and kept together, 1 to 1000. Default: 100. */
  readonly pageSize?: number;
  /** How many histories are asked at once, 1 to 64. Default: 4. */
  readonly atOnce?: number;
}

/** What a derivation found, in targets. */
export interface Derivation extends Readonly<Record<ObservedValue, number>> {
  /** All that were open; the sum of the others. */
  readonly lookedAt: number;
  /** No event has decided yet. No row is kept of them. */
  readonly undecided: number;
  readonly unknown: number;
  /** The history could not be asked. They stay as they were, and the next derivation asks again. */
  readonly failed: number;
}

interface DerivePorts {
  readonly ledger: OutcomeLedger;
  readonly historyOf: HistoryOf;
  readonly logger: Logger;
  readonly time: Pick<TimeSource, 'now'>;
}

/**
 * Looks at every target that may still get an outcome, a page at a time, and keeps what its history decides. It may run
 * at any time, and several at once: what is kept of the same history is the same.
 *
 * @throws RuntimeError with code `STORE_UNAVAILABLE`, or `INVALID_CONFIGURATION` when a number is out of its range.
 */
export async function deriveOutcomes(ports: DerivePorts, options: DeriveOptions = {}): Promise<Derivation> {
  const { signal, pageSize = DEFAULT_PAGE, atOnce = DEFAULT_AT_ONCE, ...filter } = options;
  assertWithin('pageSize', pageSize, MAX_PAGE);
  assertWithin('atOnce', atOnce, MAX_AT_ONCE);
  const found = { accepted_unchanged: 0, edited: 0, discarded: 0, undecided: 0, unknown: 0, failed: 0 };
  let lookedAt = 0;
  let after: TargetCursor | null = null;
  while (signal?.aborted !== true) {
    const page: readonly LandedTarget[] = await ports.ledger.open(filter, after, pageSize);
    const findings: Finding[] = [];
    const waiting = page.values();
    const worker = async (): Promise<void> => {
      for (const target of waiting) {
        const finding = await find(target, ports);
        if ('problem' in finding) {
          found.failed += 1;
          if (found.failed <= MAX_LOGGED) logFailure(ports.logger, target, finding.problem);
        } else {
          found[finding.observed?.value ?? 'undecided'] += 1;
          findings.push(finding);
        }
      }
    };
    await Promise.all(Array.from({ length: atOnce }, worker));
    await ports.ledger.keep(findings);
    lookedAt += page.length;
    after = page.at(-1) ?? null;
    if (page.length < pageSize) {
      break;
    }
  }
  if (found.failed > MAX_LOGGED) {
    ports.logger.warn('The histories of more records could not be read.', { failed: found.failed, lookedAt });
  }
  return { lookedAt, ...found };
}

function logFailure(
  logger: Logger,
  { runId, correlationId, callId, target }: LandedTarget,
  error: string,
): void {
  const { table, uid } = target;
  logger.warn('The history of a record could not be read.', {
    runId,
    correlationId,
    callId,
    table,
    uid,
    error,
  });
}

async function find(
  target: LandedTarget,
  { historyOf, time }: DerivePorts,
): Promise<Finding | { readonly problem: string }> {
  let reading: HistoryReading | null = null;
  if (target.mark !== null) {
    const { table, uid } = target.target;
    let problem: string | null = null;
    try {
      const history = historyOf(table);
      if (history !== null) {
        reading = await history.since(WriteTarget.of(table, uid), target.mark);
        problem = isReading(reading) ? null : 'expected a HistoryReading, found something else';
      }
    } catch (error) {
      problem = errorClass(error);
    }
    if (problem !== null) {
      return { problem };
    }
  }
  const observation = observe(target.mark, reading);
  if (observation.kind === 'undecided') {
    return { target, observed: null };
  }
  const { kind, entries, ...said } = observation;
  const kept = {
    entries: entries.slice(0, MAX_ENTRIES).map((id) => id.slice(0, MAX_ENTRY_ID)),
    derivedAt: time.now().toISOString(),
  };
  return {
    target,
    observed: 'value' in said ? { ...said, ...kept } : { value: kind as 'unknown', ...said, ...kept },
  };
}

const KINDS: ReadonlySet<unknown> = new Set(['changed', 'released', 'unreleased', 'deleted', 'restored']);
const AUTHORS: ReadonlySet<unknown> = new Set(['run', 'outside', 'unknown']);
const CONTENTS: ReadonlySet<unknown> = new Set(['same', 'before', 'different', 'unknown']);
const REASONS: ReadonlySet<unknown> = new Set(['purged', 'uid_reused', 'mark_unreadable']);

/** A binding is foreign code, and one without types may have left anything out. */
function isReading(reading: HistoryReading): boolean {
  if (reading.kind === 'unknown') {
    return REASONS.has(reading.reason);
  }
  const entries: unknown = reading.entries;
  return (
    Array.isArray(entries) &&
    entries.every((entry: Partial<HistoryEntry>) => {
      const { id, kind, author, content } = entry;
      return typeof id === 'string' && KINDS.has(kind) && AUTHORS.has(author?.kind) && CONTENTS.has(content);
    })
  );
}

function assertWithin(name: string, value: number, most: number): void {
  if (!Number.isSafeInteger(value) || value < 1 || value > most) {
    throw new RuntimeError(
      'INVALID_CONFIGURATION',
      `Cannot derive outcomes: expected ${name} to be a whole number from 1 to ${String(most)}, found ${String(value)}.`,
    );
  }
}
