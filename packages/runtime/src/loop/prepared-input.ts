import type { PreparedCall } from '../audit/prepared-call.js';

/** A fresh copy of the stored arguments, so that nobody who gets one can change what runs. */
export function inputOf(call: Pick<PreparedCall, 'arguments'>): Record<string, unknown> {
  return JSON.parse(call.arguments ?? '{}') as Record<string, unknown>;
}
