import { ToolResult, WriteTarget } from '@toolwright/sdk';
import { describe, expect, it, vi } from 'vitest';
import {
  AuditPersistenceError,
  MemoryRunStore,
  classifyFailure,
  isRetryable,
  type FenceRequest,
  type LateEvidence,
  type RunJournal,
  type RunStore,
  type Step,
  type WriteFence,
} from '../index.js';
import { CREATE, creator, expectStatus, harness, kindsOf, only, reader } from '../loop/fixtures/harness.js';

interface Faults {
  /** Whether a unit is refused. */
  refuse?: (unit: readonly Step[]) => boolean;
  fence?: (request: FenceRequest) => Promise<WriteFence | null>;
  lost?: AbortSignal;
}

/** The memory store, with faults of a real one in front of it. */
function faultyStore(faults: Faults) {
  const inner = new MemoryRunStore();
  const fences: FenceRequest[] = [];
  const evidence: LateEvidence[] = [];
  const wrap = (journal: RunJournal): RunJournal => ({
    run: journal.run,
    steps: journal.steps,
    lost: faults.lost ?? journal.lost,
    record: (unit, transition) =>
      faults.refuse?.(unit) === true ? Promise.resolve(false) : journal.record(unit, transition),
    beforeWrite: (request) => {
      fences.push(request);
      return faults.fence?.(request) ?? journal.beforeWrite(request);
    },
    isCancelRequested: () => journal.isCancelRequested(),
    keepLateEvidence: (late) => {
      evidence.push(late);
      return Promise.resolve();
    },
  });
  const store: RunStore = {
    create: async (run, steps) => wrap(await inner.create(run, steps)),
    read: (id) => inner.read(id),
    claim: async (id) => {
      const journal = await inner.claim(id);
      return journal === null ? null : wrap(journal);
    },
    appendToPaused: (...args) => inner.appendToPaused(...args),
    requestCancel: (...args) => inner.requestCancel(...args),
  };
  return { store, inner, fences, evidence };
}

const has = (kind: Step['kind']) => (unit: readonly Step[]) => unit.some((step) => step.kind === kind);
const wrote = () => ToolResult.wrote(WriteTarget.of('pages', 1), 'ok');

describe('a step that cannot be stored', () => {
  it('fails the run when a writing tool ran, never to be retried, and says so', async () => {
    const execute = vi.fn(wrote);
    const { store } = faultyStore({ refuse: has('tool') });
    const h = harness([CREATE, 'never reached'], [creator(execute)], { store });
    const failed = expectStatus(await h.run(), 'failed');
    expect(execute).toHaveBeenCalledOnce();
    expect(failed.error).toBeInstanceOf(AuditPersistenceError);
    expect(failed.failure).toMatchObject({
      detail: 'audit_lost',
      failureClass: 'unknown',
      isRetryable: false,
      callId: 'call_1',
    });
    expect(failed.writes).toMatchObject([{ outcome: 'landed', target: { table: 'pages', uid: 1 } }]);
    expect(h.model.requests).toHaveLength(1);
    expect(h.logger.entries).toContainEqual(
      expect.objectContaining({ level: 'error', fields: expect.objectContaining({ runId: 'run-1' }) }),
    );
  });

  it('fails the run even when the tool says that it changed nothing', async () => {
    const { store } = faultyStore({ refuse: has('tool') });
    const h = harness([CREATE], [creator(() => ToolResult.unchanged('same'))], { store });
    expect(expectStatus(await h.run(), 'failed').failure.detail).toBe('audit_lost');
  });

  it('fails the run even when the store takes the step a moment later, and the trace then has both', async () => {
    let refusals = 0;
    const { store, inner } = faultyStore({ refuse: (unit) => has('tool')(unit) && (refusals += 1) === 1 });
    const h = harness([CREATE], [creator(wrote)], { store });
    expect(expectStatus(await h.run(), 'failed').failure.detail).toBe('audit_lost');
    const stored = await inner.read('run-1');
    expect(stored?.status).toBe('failed');
    expect(kindsOf(stored!.steps).slice(-3)).toEqual(['tool', 'write_target', 'failure']);
    expect(stored!.steps.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it('is logged and stored with the next one when only a read ran', async () => {
    let refusals = 0;
    const { store, inner } = faultyStore({ refuse: (unit) => has('tool')(unit) && (refusals += 1) === 1 });
    const h = harness([{ call: { tool: 'count_pages' } }, 'Done.'], [reader()], { store });
    expectStatus(await h.run(), 'completed');
    expect(kindsOf((await inner.read('run-1'))!.steps)).toEqual(['request', 'model', 'tool', 'model']);
    expect(h.logger.entries.filter(({ level }) => level === 'error')).toHaveLength(1);
  });

  it('stops the run before the next write, which never runs, and may be retried', async () => {
    const execute = vi.fn(wrote);
    const { store, fences } = faultyStore({ refuse: () => true });
    const h = harness([{ call: { tool: 'count_pages' } }, CREATE, 'never'], [reader(), creator(execute)], {
      store,
    });
    const failed = expectStatus(await h.run(), 'failed');
    expect(failed.failure).toMatchObject({ detail: 'store_unavailable', isRetryable: true });
    expect(execute).not.toHaveBeenCalled();
    expect(fences).toEqual([]);
  });

  it('never throws out of the run when the journal does', async () => {
    const { store } = faultyStore({
      refuse: () => {
        throw new Error('journal bug');
      },
    });
    const h = harness([{ call: { tool: 'count_pages' } }, 'Done.'], [reader()], { store });
    expect(expectStatus(await h.run(), 'failed').failure.detail).toBe('store_unavailable');
  });

  it('keeps a run from being reported as completed whose answer is not stored, and may be retried', async () => {
    const { store, inner } = faultyStore({ refuse: has('model') });
    const failed = expectStatus(await harness(['Done.'], [], { store }).run(), 'failed');
    expect(failed.failure).toMatchObject({ detail: 'store_unavailable', isRetryable: true });
    expect((await inner.read('run-1'))?.status).toBe('running');
  });

  it('keeps its answer when the store takes it with the failure, so that a retry has only to settle', async () => {
    let refusals = 0;
    const { store, inner } = faultyStore({ refuse: (unit) => has('model')(unit) && (refusals += 1) === 1 });
    expectStatus(await harness(['Done.'], [], { store }).run(), 'failed');
    expect(await inner.read('run-1')).toMatchObject({
      status: 'failed',
      steps: [{ kind: 'request' }, { kind: 'model', content: 'Done.' }, { kind: 'failure' }],
    });
  });

  it('keeps a cancellation from being reported that is not stored', async () => {
    const { store } = faultyStore({ refuse: has('failure') });
    const h = harness(['Done.'], [], { store });
    const cancelled = await h.runtime.run(
      { actor: { id: 'anna' }, prompt: 'x' },
      { signal: AbortSignal.abort() },
    );
    expect(expectStatus(cancelled, 'failed').failure.detail).toBe('store_unavailable');
  });

  it('keeps a pause from being reported that is not stored', async () => {
    const { store } = faultyStore({ refuse: has('approval') });
    const h = harness([CREATE], [creator(wrote)], { store, policy: { decide: () => 'pause' } });
    expect(expectStatus(await h.run(), 'failed').failure.detail).toBe('store_unavailable');
  });
});

describe('the write fence', () => {
  it('is asked for right before each declared write, and never for a read', async () => {
    const { store, fences } = faultyStore({});
    const h = harness(
      [{ call: { tool: 'count_pages' } }, CREATE, 'Done.'],
      [reader(), creator(wrote, { timeoutMs: 4000 })],
      { store, limits: { callGraceMs: 500 } },
    );
    expectStatus(await h.run(), 'completed');
    expect(fences).toEqual([
      {
        callId: 'call_2',
        tool: 'create_page',
        effect: 'non_idempotent_write',
        until: new Date('2026-01-01T00:00:04.500Z'),
      },
    ]);
  });

  it.each<[string, Faults['fence']]>([
    ['is refused', () => Promise.resolve(null)],
    ['cannot be asked for', () => Promise.reject(new Error('down'))],
  ])('keeps the write from running when it %s', async (_what, fence) => {
    const execute = vi.fn(wrote);
    const { store } = faultyStore({ fence: fence! });
    const h = harness([CREATE], [creator(execute)], { store });
    expect(expectStatus(await h.run(), 'failed').failure).toMatchObject({ detail: 'store_unavailable' });
    expect(execute).not.toHaveBeenCalled();
  });

  it('keeps the write from running when the hold has lapsed right before the call', async () => {
    const execute = vi.fn(wrote);
    const { store, inner } = faultyStore({ fence: () => Promise.resolve({ isHeld: () => false }) });
    const h = harness([CREATE], [creator(execute)], { store });
    expectStatus(await h.run(), 'lost');
    expect(execute).not.toHaveBeenCalled();
    expect((await inner.read('run-1'))?.status).toBe('running');
  });
});

describe('a run that is lost to another owner', () => {
  it('records and settles nothing more, and keeps what its write did as late evidence', async () => {
    const lost = new AbortController();
    const { store, inner, evidence } = faultyStore({ lost: lost.signal });
    const tool = creator(() => {
      lost.abort();
      return wrote();
    });
    const h = harness([CREATE, 'never'], [tool], { store });
    expectStatus(await h.run(), 'lost');
    expect(kindsOf((await inner.read('run-1'))!.steps)).toEqual(['request', 'model', 'approval:waived']);
    expect(evidence).toEqual([
      {
        callId: 'call_1',
        tool: 'create_page',
        cause: 'run_lost',
        ending: 'answered',
        target: { table: 'pages', uid: 1 },
        landed: [],
      },
    ]);
  });

  it('is found at the record of the step as well', async () => {
    const lost = new AbortController();
    const refuse = (unit: readonly Step[]) => {
      if (!has('tool')(unit)) return false;
      lost.abort();
      return true;
    };
    const { store, evidence } = faultyStore({ lost: lost.signal, refuse });
    expectStatus(await harness([CREATE], [creator(wrote)], { store }).run(), 'lost');
    expect(evidence).toHaveLength(1);
  });

  it('does not ask the model and does not run a read any more', async () => {
    const lost = new AbortController();
    const execute = vi.fn(() => ToolResult.text('x'));
    const { store } = faultyStore({ lost: lost.signal });
    const script = [
      () => {
        lost.abort();
        return { call: { tool: 'count_pages' } };
      },
    ];
    const h = harness(script, [reader(execute)], { store });
    expectStatus(await h.run(), 'lost');
    expect(execute).not.toHaveBeenCalled();
  });
});

describe('AuditPersistenceError', () => {
  it('classifies as unknown, whatever led to it', () => {
    const cause = Object.assign(new Error('x'), { code: 'ECONNRESET' });
    const error = new AuditPersistenceError({ callId: 'c', tool: 't' }, { cause });
    expect(classifyFailure(error)).toBe('unknown');
    expect(isRetryable(classifyFailure(error))).toBe(false);
    expect(classifyFailure(new Error('outer', { cause: error }))).toBe('unknown');
    expect(error).toMatchObject({ code: 'AUDIT_NOT_STORED', name: 'AuditPersistenceError' });
  });
});

describe('the trace', () => {
  it('holds steps of a unit together or not at all', async () => {
    const { store, inner } = faultyStore({ refuse: has('write_target') });
    const h = harness([CREATE], [creator(wrote)], { store });
    expectStatus(await h.run(), 'failed');
    const { steps } = (await inner.read('run-1'))!;
    expect(only(steps, 'tool')).toEqual([]);
    expect(only(steps, 'write_target')).toEqual([]);
  });
});
