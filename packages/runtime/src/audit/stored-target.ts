import type { LandedWrite, WriteTarget } from '@toolwright/sdk';
import type { EvidenceTarget } from './run-journal.js';
import type { StoredTarget } from './step.js';

/** A write target as plain JSON. */
export function storedTarget({ table, uid }: WriteTarget): StoredTarget {
  return { table, uid };
}

/** A record with its history mark, where it has one. */
export function markedTarget({ table, uid }: StoredTarget, mark: string | null): EvidenceTarget {
  return mark === null ? { table, uid } : { table, uid, mark };
}

/** A landed write as late evidence keeps it. */
export function evidenceTarget({ target, mark }: LandedWrite): EvidenceTarget {
  return markedTarget(target, mark);
}
