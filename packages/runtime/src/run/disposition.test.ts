import { ToolEffect } from '@toolwright/sdk';
import { describe, expect, it } from 'vitest';
import { REQUEUE_BUDGET, dispose, type InterruptedRun, type InterruptionCause } from './disposition.js';

const EXPIRED: InterruptionCause = { kind: 'lease_expired' };
const failed = (
  detail: 'model_failed' | 'contract_violation' | 'audit_lost',
  isRetryable: boolean,
): InterruptionCause => ({
  kind: 'failed',
  failure: { detail, isRetryable },
});
const run = (over: Partial<InterruptedRun> = {}): InterruptedRun => ({
  fencedEffect: null,
  isAuditUncertain: false,
  isCancelRequested: false,
  requeues: 0,
  ...over,
});
const buried = (reason: string, detail: string) => ({ kind: 'dead_letter', reason, detail });

describe('dispose', () => {
  const nonIdempotent = { fencedEffect: ToolEffect.NON_IDEMPOTENT_WRITE };
  const idempotent = { fencedEffect: ToolEffect.IDEMPOTENT_WRITE };

  it.each([
    ['no write stood open', EXPIRED, run(), { kind: 'requeue', waitMs: 1000 }],
    ['it was put back before', EXPIRED, run({ requeues: 2 }), { kind: 'requeue', waitMs: 4000 }],
    [
      'its budget is used up',
      EXPIRED,
      run({ requeues: REQUEUE_BUDGET }),
      buried('retries_exhausted', 'lease_lost'),
    ],
    [
      'a non-idempotent write stood open',
      EXPIRED,
      run(nonIdempotent),
      buried('not_retryable', 'write_interrupted'),
    ],
    ['an idempotent write stood open', EXPIRED, run(idempotent), { kind: 'requeue', waitMs: 1000 }],
    [
      'an idempotent write stood open and its audit may be lost',
      EXPIRED,
      run({ ...idempotent, isAuditUncertain: true }),
      buried('not_retryable', 'audit_lost'),
    ],
    [
      'an idempotent write stood open and the run is to end',
      EXPIRED,
      run({ ...idempotent, isCancelRequested: true }),
      buried('not_retryable', 'write_interrupted'),
    ],
    [
      'no write stood open and the run is to end',
      EXPIRED,
      run({ isCancelRequested: true }),
      { kind: 'requeue', waitMs: 1000 },
    ],
    ['it failed retryably', failed('model_failed', true), run(), { kind: 'requeue', waitMs: 1000 }],
    [
      'it failed retryably behind the fence of a non-idempotent write',
      failed('model_failed', true),
      run(nonIdempotent),
      buried('not_retryable', 'write_interrupted'),
    ],
    [
      'it failed retryably too often',
      failed('model_failed', true),
      run({ requeues: 3 }),
      buried('retries_exhausted', 'model_failed'),
    ],
    [
      'a tool broke its contract',
      failed('contract_violation', false),
      run(),
      buried('not_retryable', 'contract_violation'),
    ],
    [
      'its audit was lost',
      failed('audit_lost', false),
      run(idempotent),
      buried('not_retryable', 'audit_lost'),
    ],
  ])('is right when %s', (_when, cause, interrupted, expected) => {
    expect(dispose(cause, interrupted)).toEqual(expected);
  });

  it('never puts a run back behind a non-idempotent write, whatever else is true', () => {
    for (const cause of [EXPIRED, failed('model_failed', true), failed('audit_lost', false)]) {
      for (const isAuditUncertain of [true, false]) {
        for (const requeues of [0, 1, 2, 3, 99]) {
          expect(dispose(cause, run({ ...nonIdempotent, isAuditUncertain, requeues })).kind).toBe(
            'dead_letter',
          );
        }
      }
    }
  });

  it('waits twice as long each time', () => {
    const waits = Array.from({ length: REQUEUE_BUDGET }, (_, requeues) =>
      dispose(EXPIRED, run({ requeues })),
    );
    expect(waits.map((each) => (each.kind === 'requeue' ? each.waitMs : null))).toEqual([1000, 2000, 4000]);
  });
});
