import { createHash } from 'node:crypto';
import type { StoredTarget } from '../audit/step.js';

/** Names a landed target: the same record of the same call has one id, however often it is reported. */
export function targetId(runId: string, callId: string, { table, uid }: StoredTarget): string {
  // A uid is compared as a string, so 12 and "12" are one record.
  const name = JSON.stringify([runId, callId, table, String(uid)]);
  return createHash('sha256').update(name).digest('hex');
}
