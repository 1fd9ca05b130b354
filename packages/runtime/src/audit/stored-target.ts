import type { LandedWrite, WriteTarget } from '@toolwright/sdk';
import type { EvidenceTarget } from './run-journal.js';
import type { StoredTarget } from './step.js';

/** A write target as plain JSON. */
export function storedTarget({ table, uid }: WriteTarget): StoredTarget {
  return { table, uid };
}

/** A landed write as late evidence keeps it. */
export function evidenceTarget({ target, mark }: LandedWrite): EvidenceTarget {
  return mark === null ? storedTarget(target) : { ...storedTarget(target), mark };
}
