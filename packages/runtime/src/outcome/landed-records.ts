import { printableLine } from '@toolwright/sdk';
import type { EvidenceTarget, LateEvidence } from '../audit/run-journal.js';

const MAX_MODEL_LENGTH = 200;

/** The records that late evidence names, each once, with the newest mark that it has. */
export function recordsOf({ target, landed }: LateEvidence): readonly EvidenceTarget[] {
  const records = new Map<string, EvidenceTarget>();
  for (const record of [...(target === null ? [] : [target]), ...landed]) {
    const key = JSON.stringify([record.table, String(record.uid)]);
    records.set(key, { ...records.get(key), ...record });
  }
  return [...records.values()];
}

/** A model's own name as outcomes are counted by it; it is whatever the model's server says. */
export function modelName(model: string | null): string | null {
  const points = Array.from(printableLine(model ?? '').trim());
  return points.length === 0 ? null : points.slice(0, MAX_MODEL_LENGTH).join('');
}
