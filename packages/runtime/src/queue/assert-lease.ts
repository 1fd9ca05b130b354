import { RuntimeError } from '../errors.js';
import type { LeaseTerms } from './queued-run-store.js';

/** @throws RuntimeError with code `INVALID_CONFIGURATION` when the lease leaves no time for a heartbeat. */
export function assertLease(lease: LeaseTerms): LeaseTerms {
  const { leaseMs, heartbeatMs, marginMs } = lease;
  const all = [leaseMs, heartbeatMs, marginMs];
  if (
    !all.every((ms) => Number.isSafeInteger(ms) && ms > 0) ||
    heartbeatMs * 3 > leaseMs ||
    marginMs + heartbeatMs >= leaseMs
  ) {
    throw new RuntimeError(
      'INVALID_CONFIGURATION',
      'Cannot make a store: expected lease.heartbeatMs to be a third of lease.leaseMs or less, and lease.marginMs to ' +
        `leave time for it, in whole milliseconds; found ${all.join(', ')} (leaseMs, heartbeatMs, marginMs).`,
    );
  }
  return lease;
}
