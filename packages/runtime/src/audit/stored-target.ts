import type { WriteTarget } from '@toolwright/sdk';
import type { StoredTarget } from './step.js';

/** A write target as plain JSON. */
export function storedTarget({ table, uid }: WriteTarget): StoredTarget {
  return { table, uid };
}
