import type { CallFailure } from '../call/call-outcome.js';
import { SdkError } from '../errors.js';
import { ToolResult, type ToolResultKind } from '../result/tool-result.js';
import { WriteTarget } from '../target/write-target.js';
import type { ToolRecord } from './test-host.js';

/** What a matcher answers, in the form that `expect.extend` takes. */
export interface MatcherAnswer {
  readonly pass: boolean;
  readonly message: () => string;
  readonly actual?: unknown;
  readonly expected?: unknown;
}

type Received = Pick<ToolRecord, 'result'> & Partial<ToolRecord>;

/** A text that the answer must contain, or a pattern that it must match. */
export type ExpectedText = string | RegExp;

/**
 * The matchers for what a tool answered. Each takes a record of the test host, or a result. For
 * vitest, import `@toolwright/sdk/testing/vitest`; elsewhere hand them to `expect.extend`.
 */
export const toolMatchers = {
  toHaveWritten(received: unknown, table?: string, uid?: string | number): MatcherAnswer {
    const record = assertReceived('toHaveWritten', received);
    const wanted = assertRecord(table, uid);
    const { target } = record.result;
    const pass =
      target !== null &&
      (table === undefined || target.table === table) &&
      (uid === undefined || String(target.uid) === String(uid));
    return {
      pass,
      message: () =>
        explain(record, pass, wanted === null ? 'to have written a record' : `to have written ${wanted}`),
      actual: target === null ? record.result.kind : nameOf(target),
      expected: wanted ?? 'a record',
    };
  },
  toHaveRefused: (received: unknown, text?: ExpectedText) =>
    matchKind('toHaveRefused', received, 'refused', 'to have refused', text),
  toBeUnchanged: (received: unknown, text?: ExpectedText) =>
    matchKind('toBeUnchanged', received, 'unchanged', 'to have left everything unchanged', text),
  toHaveFailed: (received: unknown, text?: ExpectedText) =>
    matchKind('toHaveFailed', received, 'error', 'to have failed', text),
  toHaveAnswered: (received: unknown, text?: ExpectedText) =>
    matchKind('toHaveAnswered', received, 'text', 'to have answered a text', text),
  toHaveUnknownOutcome(received: unknown): MatcherAnswer {
    const record = assertReceived('toHaveUnknownOutcome', received);
    if (record.outcome === undefined) {
      throw misuse('toHaveUnknownOutcome', 'a record of the test host (a result alone has no outcome)');
    }
    const pass = record.outcome === 'unknown';
    return {
      pass,
      message: () => explain(record, pass, 'to have an unknown outcome'),
      actual: record.outcome,
      expected: 'unknown',
    };
  },
};

function matchKind(
  matcher: string,
  received: unknown,
  kind: ToolResultKind,
  phrase: string,
  text: ExpectedText | undefined,
): MatcherAnswer {
  const record = assertReceived(matcher, received);
  assertText(matcher, text);
  const { result } = record;
  const pass = result.kind === kind && (text === undefined || contains(result.content, text));
  const saying = text === undefined ? '' : ` with ${describeText(text)}`;
  return {
    pass,
    message: () => explain(record, pass, `${phrase}${saying}`),
    actual: text === undefined ? result.kind : `${result.kind}: ${result.content}`,
    expected: text === undefined ? kind : `${kind}: ${String(text)}`,
  };
}

function contains(content: string, text: ExpectedText): boolean {
  // A global or sticky pattern remembers where it stopped, so one test would disturb the next.
  return typeof text === 'string'
    ? content.includes(text)
    : new RegExp(text.source, text.flags.replace(/[gy]/gu, '')).test(content);
}

function describeText(text: ExpectedText): string {
  return typeof text === 'string'
    ? `a text that contains ${JSON.stringify(text)}`
    : `a text like ${String(text)}`;
}

function explain(record: Received, pass: boolean, phrase: string): string {
  const tool = record.toolName === undefined ? 'the tool' : `the tool "${record.toolName}"`;
  return [
    `Expected ${tool} ${pass ? 'not ' : ''}${phrase}, and it ${whatItDid(record)}.`,
    ...details(record),
  ].join('\n');
}

function whatItDid({ result }: Received): string {
  switch (result.kind) {
    case 'text':
      return 'answered a text';
    case 'wrote':
      return `wrote ${nameOf(result.target)}`;
    case 'unchanged':
      return 'left everything unchanged';
    case 'refused':
      return 'refused';
    case 'error':
      return result.target === null ? 'failed' : `wrote ${nameOf(result.target)} and then failed`;
  }
}

function details({ result, outcome, landed = [], notes = [], failure = null, approval }: Received): string[] {
  return [
    `  content: ${JSON.stringify(result.content)}`,
    ...(outcome === undefined ? [] : [`  outcome: ${outcome}`]),
    ...(landed.length === 0 ? [] : [`  landed:  ${landed.map(({ target }) => nameOf(target)).join(', ')}`]),
    ...(approval?.status === 'declined' ? ['  approval: declined'] : []),
    ...notes.map((note) => `  note:    ${note}`),
    ...(failure === null ? [] : [`  failure: ${describeFailure(failure)}`]),
  ];
}

// A test may see the message that a model must not.
function describeFailure(failure: CallFailure): string {
  if (failure.kind === 'threw') {
    const { error } = failure;
    return `threw ${error instanceof Error ? (error.stack ?? String(error)) : String(error)}`;
  }
  return failure.kind;
}

function nameOf(target: WriteTarget): string {
  return `${target.table}:${String(target.uid)}`;
}

function assertReceived(matcher: string, received: unknown): Received {
  if (ToolResult.is(received)) {
    return { result: received };
  }
  if (typeof received === 'object' && received !== null) {
    if (received instanceof Promise) {
      throw misuse(matcher, 'a record, not the promise of one: await host.run(…) first');
    }
    if ('result' in received && ToolResult.is(received.result)) {
      return received as Received;
    }
  }
  throw misuse(matcher, 'a record of the test host, or a result that a factory of ToolResult made');
}

/** The record that is expected, by name; throws for a table or uid that no write target can have. */
function assertRecord(table: string | undefined, uid: string | number | undefined): string | null {
  if (table === undefined) {
    if (uid !== undefined) {
      throw misuse('toHaveWritten', 'a table before the uid: toHaveWritten(table, uid)');
    }
    return null;
  }
  return uid === undefined
    ? `a record of ${WriteTarget.of(table, 1).table}`
    : nameOf(WriteTarget.of(table, uid));
}

function assertText(matcher: string, text: unknown): void {
  if (text !== undefined && typeof text !== 'string' && !(text instanceof RegExp)) {
    throw misuse(matcher, 'a text or a regular expression, or nothing');
  }
}

function misuse(matcher: string, expected: string): SdkError {
  return new SdkError('INVALID_OPTIONS', `Cannot use ${matcher}: expected ${expected}.`);
}
