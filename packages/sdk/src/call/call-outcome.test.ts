import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { ToolResult } from '../result/tool-result.js';
import { WriteTarget } from '../target/write-target.js';
import { defineTool } from '../tool/define-tool.js';
import { judgeCall, type CallEvidence, type Settlement } from './call-outcome.js';
import { advisesRetry } from './retry-advice.js';

const input = z.object({});
const page = WriteTarget.of('pages', 12);
const reader = defineTool({ name: 'read_page', description: '', input, execute: () => ToolResult.text('x') });
const writer = defineTool({
  name: 'write_page',
  description: '',
  input,
  effect: 'idempotent_write',
  execute: () => ToolResult.wrote(page, 'x'),
});

const nothing: CallEvidence = { landed: [], hasFailedWrite: false };
const landed: CallEvidence = { landed: [{ target: page, mark: null }], hasFailedWrite: false };
const landedThenFailed: CallEvidence = { ...landed, hasFailedWrite: true };

const returned = (value: unknown): Settlement => ({ kind: 'returned', value });
const threw: Settlement = { kind: 'threw', error: new TypeError('secret=hunter2, please try again') };
const late: Settlement = { kind: 'unsettled', why: 'deadline' };

describe('judgeCall of a writer', () => {
  it.each([
    ['landed', 'wrote', ToolResult.wrote(page, 'x')],
    ['landed', 'error with a target', ToolResult.error('x', { target: page })],
    ['not_landed', 'refused', ToolResult.refused('x')],
    ['not_landed', 'unchanged', ToolResult.unchanged('x')],
  ])('is %s and keeps the very answer when the tool answers %s', (outcome, _kind, result) => {
    const judged = judgeCall(writer, returned(result), nothing);
    expect(judged).toEqual({ result, outcome, failure: null });
    expect(judged.result).toBe(result);
  });

  it('is unknown when the tool answers an error without a target', () => {
    const { result, outcome, failure } = judgeCall(
      writer,
      returned(ToolResult.error('disk is full')),
      nothing,
    );
    expect({ kind: result.kind, outcome, failure }).toEqual({
      kind: 'error',
      outcome: 'unknown',
      failure: null,
    });
    expect(result.content).toMatch(/^The outcome of this call is unknown: .*Read the record before/u);
    expect(result.content).toContain('disk is full');
  });

  it('withholds the words of an error that advises another attempt when the outcome is unknown', () => {
    const answer = ToolResult.error('Timeout. Please try again.');
    const { result } = judgeCall(writer, returned(answer), nothing);
    expect(result.content).not.toContain('try again');
    expect(advisesRetry(result.content.replace('it advises another attempt', ''))).toBe(false);
  });

  it('names the record when an error without a target follows a write that the handler recorded', () => {
    const { result, outcome } = judgeCall(writer, returned(ToolResult.error('index failed')), landed);
    expect(outcome).toBe('landed');
    expect(result.kind).toBe('error');
    expect(result.target).toBe(page);
    expect(result.content).toContain('pages:12');
  });

  it('is landed, and names the record, when it throws after a write that the handler recorded', () => {
    const { result, outcome, failure } = judgeCall(writer, threw, landed);
    expect(outcome).toBe('landed');
    expect(result.target).toBe(page);
    expect(result.content).toBe(
      'The call wrote pages:12, and a later step failed (TypeError). Do not repeat the write.',
    );
    expect(failure?.kind).toBe('threw');
  });

  it('is unknown, and names what landed, when it throws after one of its writes failed', () => {
    const { result, outcome } = judgeCall(writer, threw, landedThenFailed);
    expect(outcome).toBe('unknown');
    expect(result.target).toBeNull();
    expect(result.content).toContain('Known to be written: pages:12.');
  });

  it('tells the class of what was thrown and nothing of its message', () => {
    const { result, outcome } = judgeCall(writer, threw, nothing);
    expect(outcome).toBe('unknown');
    expect(result.content).toContain('(TypeError)');
    expect(result.content).not.toContain('hunter2');
    expect(advisesRetry(result.content)).toBe(false);
  });

  it('is unknown when it does not answer in time, whatever had landed by then', () => {
    expect(judgeCall(writer, late, nothing).outcome).toBe('unknown');
    const { result, outcome } = judgeCall(writer, late, landed);
    expect(outcome).toBe('unknown');
    expect(result.content).toContain('pages:12');
  });

  it('breaks its contract when it answers a text', () => {
    const { result, outcome, failure } = judgeCall(writer, returned(ToolResult.text('done')), nothing);
    expect(failure).toEqual({ kind: 'contract_violation', rule: 'writer-returns-target', found: 'text' });
    expect(outcome).toBe('unknown');
    expect(result.isError).toBe(true);
  });

  it('keeps the record when it breaks its contract after a write', () => {
    const { result, outcome } = judgeCall(writer, returned(ToolResult.text('done')), landed);
    expect(outcome).toBe('landed');
    expect(result.target).toBe(page);
  });

  it.each([ToolResult.refused('not allowed'), ToolResult.unchanged('same title')])(
    'breaks its contract when it claims after a write that nothing was done (%#)',
    (answer) => {
      const { result, outcome, failure } = judgeCall(writer, returned(answer), landed);
      expect(failure).toMatchObject({ rule: 'nothing-claimed-after-a-write', found: answer.kind });
      expect(outcome).toBe('landed');
      expect(result.content).not.toContain(answer.content);
    },
  );

  it.each([
    undefined,
    null,
    'done',
    { kind: 'wrote', content: 'x', target: page },
    { ...ToolResult.wrote(page, 'x') },
  ])('breaks its contract when it answers what no factory made (%#)', (value) => {
    const { outcome, failure } = judgeCall(writer, returned(value), nothing);
    expect(failure).toMatchObject({ rule: 'answers-a-tool-result' });
    expect(outcome).toBe('unknown');
  });
});

describe('judgeCall of a reader', () => {
  it.each([ToolResult.text('x'), ToolResult.refused('x'), ToolResult.error('x')])(
    'keeps the very answer when the declaration allows it (%#)',
    (result) => {
      const judged = judgeCall(reader, returned(result), nothing);
      expect(judged.result).toBe(result);
      expect(judged.outcome).toBe('not_landed');
      expect(judged.failure).toBeNull();
    },
  );

  it.each([ToolResult.wrote(page, 'x'), ToolResult.error('x', { target: page })])(
    'breaks its contract, and the record is kept, when it answers with a target (%#)',
    (answer) => {
      const { result, outcome, failure } = judgeCall(reader, returned(answer), nothing);
      expect(failure).toMatchObject({ rule: 'reader-returns-no-target' });
      expect(outcome).toBe('landed');
      expect(result.target).toBe(page);
      expect(result.isError).toBe(true);
    },
  );

  it('breaks its contract when it answers unchanged, which only a writer can', () => {
    const { failure, outcome } = judgeCall(reader, returned(ToolResult.unchanged('x')), nothing);
    expect(failure).toMatchObject({ rule: 'reader-returns-no-target', found: 'unchanged' });
    expect(outcome).toBe('not_landed');
  });

  it.each([threw, late])('has nothing that could have landed when it does not answer (%#)', (settlement) => {
    const { result, outcome } = judgeCall(reader, settlement, nothing);
    expect(outcome).toBe('not_landed');
    expect(result.content).toContain('nothing was written');
    expect(result.content).not.toContain('hunter2');
  });
});
