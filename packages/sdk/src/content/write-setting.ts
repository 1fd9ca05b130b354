import { WriteTarget } from '../target/write-target.js';
import type { ContentLedger } from './content-ledger.js';
import type { ContentLog } from './content-log.js';
import type { ContentPorts } from './safe-content-options.js';
import type { ContentWrite, RawContentHandler } from './raw-content-handler.js';

/** What one write is about, and where it is recorded. */
export interface WriteSetting {
  readonly operation: ContentWrite;
  readonly signal: AbortSignal;
  readonly ports: ContentPorts;
  readonly ledger: ContentLedger;
  readonly log: ContentLog;
}

/** Where a write went, for the log. */
export function placeOf({ operation }: Pick<WriteSetting, 'operation'>): Readonly<Record<string, unknown>> {
  return operation.kind === 'create'
    ? { operation: operation.kind, table: operation.table }
    : { operation: operation.kind, table: operation.target.table, uid: operation.target.uid };
}

/** Whether a target names the record that the operation writes. A created one is known by its table. */
export function isRecordOf(operation: ContentWrite, target: WriteTarget): boolean {
  return operation.kind === 'create' ? target.table === operation.table : target.equals(operation.target);
}

/** The record of the operation where the system reports it as stored; the first of its table for a create. */
export function ownTarget(raw: RawContentHandler, operation: ContentWrite): WriteTarget | null {
  return landedTargets(raw).find((target) => isRecordOf(operation, target)) ?? null;
}

/** What the raw handler reports as stored; what is no write target is left out. */
export function landedTargets(raw: RawContentHandler): readonly WriteTarget[] {
  return raw.landed().filter((target) => WriteTarget.is(target));
}

/** Whether nothing of the run can be rolled back any more; a binding that cannot say has not committed. */
export async function isCommitted(raw: RawContentHandler): Promise<boolean> {
  return (await raw.isTransactionOpen()) === false;
}
