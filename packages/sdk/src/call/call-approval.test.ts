import { describe, expect, it } from 'vitest';
import { askApproval, type ApprovalRequest } from './call-approval.js';

const request: ApprovalRequest = {
  toolName: 'write_page',
  effect: 'idempotent_write',
  input: {},
  preview: { lines: [], isCut: false },
  actor: { id: 'editor' },
  runId: 'run',
  callId: 'call',
  signal: new AbortController().signal,
};

describe('askApproval', () => {
  it.each([true, { approved: true }, { approved: true, by: 'chief' }])(
    'approves when the answer is %j',
    async (answer) => {
      expect((await askApproval(() => answer, request)).status).toBe('approved');
    },
  );

  it.each([false, undefined, null, 1, 'yes', {}, { approved: 'yes' }, { approved: 1 }, []])(
    'declines when the answer is %j, which is no clear yes',
    async (answer) => {
      expect((await askApproval(() => answer as never, request)).status).toBe('declined');
    },
  );

  it('declines, and tells nothing of the error, when the question fails', async () => {
    const approval = await askApproval(() => {
      throw new TypeError('password=hunter2');
    }, request);
    expect(approval).toEqual({ status: 'declined', by: null, reason: 'the question could not be asked' });
  });

  it('keeps who decided and why, on one line each', async () => {
    const decision = { approved: false, by: 'chief\neditor', reason: `not\u202e today ${'x'.repeat(500)}` };
    const approval = await askApproval(() => decision, request);
    expect(approval.by).toBe('chief editor');
    expect(approval.reason).toMatch(/^not {2}today x+$/u);
    expect(approval.reason).toHaveLength(300);
  });
});
