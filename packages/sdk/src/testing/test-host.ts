import type { ApproveCall } from '../call/call-approval.js';
import { assertDelayMs } from '../call/call-timer.js';
import { answerWithNotes } from '../call/call-wording.js';
import { callTool, type CallRecord } from '../call/tool-call.js';
import type { SafeContentHandler } from '../content/safe-content-handler.js';
import type { Actor, Clock, Logger } from '../context/tool-context.js';
import { SdkError } from '../errors.js';
import { assertDefinition } from '../tool/assert-definition.js';
import type { Tool } from '../tool/tool.js';
import { InMemoryContent, type InMemoryContentOptions } from './in-memory-content.js';
import { createRecordingLogger, type LogEntry } from './recording-logger.js';
import { createTestClock, type TestClock } from './test-clock.js';
import { ToolContractError } from './tool-contract-error.js';

/** One call as the test host ran it. */
export interface ToolRecord extends CallRecord {
  readonly runId: string;
  readonly callId: string;
  /** What a model would be told: the answer's content, bounded, with the content handler's notes. */
  readonly told: string;
  /** What was logged during the call, oldest first. */
  readonly logs: readonly LogEntry[];
}

/** What can be set for one call; each falls back to the host's. */
export interface RunToolOptions {
  /** Default `{ id: 'test-actor' }`. */
  readonly actor?: Actor;
  /** Decides a declared write. Default: approve. */
  readonly approve?: ApproveCall;
  /** Default: the tool's `timeoutMs`, else 30,000. It passes when the host's clock is advanced. */
  readonly deadlineMs?: number;
  /** Cancels the call. */
  readonly signal?: AbortSignal;
}

type InMemoryRecords = NonNullable<InMemoryContentOptions['records']>;

export interface TestHostOptions extends Omit<RunToolOptions, 'signal'> {
  /** Records of the content in memory: by table, then by uid. Not together with `content`. */
  readonly records?: InMemoryRecords;
  /** Where the tools read and write, instead of the content in memory. */
  readonly content?: SafeContentHandler;
  /** Default: a clock that stands at 2026-01-01T00:00:00Z until it is advanced. */
  readonly clock?: TestClock;
  /** Default `run-1`. Calls are numbered `call-1`, `call-2` and so on. */
  readonly runId?: string;
}

/** Runs one tool at a time, as a host does: arguments, preview, approval, execution, outcome. */
export interface TestHost<Content extends SafeContentHandler = SafeContentHandler> {
  readonly content: Content;
  readonly clock: TestClock;
  /** What was logged so far, by the content in memory too, oldest first. */
  readonly logs: readonly LogEntry[];
  /**
   * Runs one call. The arguments are taken as a model would send them, so a test can send wrong ones.
   *
   * @throws ToolContractError (code `CONTRACT_VIOLATION`) when the answer is none that the declaration
   *   of the tool allows. What a tool throws is not thrown here: it is in the record's `failure`.
   * @throws SdkError with code `INVALID_TOOL_DEFINITION` when the tool is no valid tool.
   */
  run(tool: Tool, args: unknown, options?: RunToolOptions): Promise<ToolRecord>;
}

/**
 * A host in memory for tests of a tool. Time and ids are the same in every run.
 *
 *     const host = createTestHost({ records: { pages: { 12: { title: 'Old' } } } });
 *     expect(await host.run(renamePage, { id: 12, title: 'New' })).toHaveWritten('pages', 12);
 *
 * @throws SdkError with code `INVALID_OPTIONS` when the deadline is no positive whole number, or both
 *   `records` and `content` are given.
 */
export function createTestHost<Content extends SafeContentHandler>(
  options: TestHostOptions & { readonly content: Content },
): TestHost<Content>;
export function createTestHost(
  options?: TestHostOptions & { readonly content?: never },
): TestHost<InMemoryContent>;
export function createTestHost(options: TestHostOptions): TestHost;
export function createTestHost(options: TestHostOptions = {}): TestHost {
  const { clock = createTestClock(), runId = 'run-1', deadlineMs = 30_000 } = options;
  assertDelayMs('deadlineMs', deadlineMs);
  const logger = createRecordingLogger();
  const content = contentOf(options, clock, logger);
  let calls = 0;
  return {
    content,
    clock,
    logs: logger.entries,
    async run(tool, args, call = {}) {
      assertDefinition(tool as unknown as Readonly<Record<string, unknown>>);
      calls += 1;
      const callId = `call-${String(calls)}`;
      const ownDeadlineMs = call.deadlineMs ?? tool.timeoutMs ?? deadlineMs;
      assertDelayMs('deadlineMs', ownDeadlineMs);
      const firstLog = logger.entries.length;
      const done = await callTool(tool, args, {
        content,
        clock,
        timer: clock,
        logger,
        runId,
        callId,
        deadlineMs: ownDeadlineMs,
        actor: call.actor ?? options.actor ?? { id: 'test-actor' },
        approve: call.approve ?? options.approve ?? (() => true),
        signal: call.signal ?? new AbortController().signal,
        grace: oneTurn,
      });
      return checked({
        ...done,
        runId,
        callId,
        told: answerWithNotes(done.result.content, done.notes, MAX_CONTENT_BYTES),
        logs: logger.entries.slice(firstLog),
      });
    },
  };
}

// What a host's loop keeps of an answer.
const MAX_CONTENT_BYTES = 50_000;

function checked(record: ToolRecord): ToolRecord {
  if (record.failure?.kind === 'contract_violation') {
    throw new ToolContractError(record.failure, record);
  }
  return Object.freeze(record);
}

function contentOf(options: TestHostOptions, clock: Clock, logger: Logger): SafeContentHandler {
  const { content, records } = options;
  if (content === undefined) {
    return new InMemoryContent({ clock, logger, ...(records === undefined ? {} : { records }) });
  }
  if (records !== undefined) {
    throw new SdkError(
      'INVALID_OPTIONS',
      'Cannot make a test host: expected either records or content, found both. ' +
        'Put the records into the content: new InMemoryContent({ records }).',
    );
  }
  return content;
}

/** Runs one call in a host of its own. See {@link TestHost.run}. */
export function runTool(
  tool: Tool,
  args: unknown,
  options: TestHostOptions & RunToolOptions = {},
): Promise<ToolRecord> {
  const { signal } = options;
  return createTestHost(options).run(tool, args, signal === undefined ? {} : { signal });
}

// Taken before a test can put a fake in its place.
const realSetImmediate = setImmediate;

// A tool that heeds its signal settles without waiting for anything, which one turn of the event loop allows.
function oneTurn(): Promise<void> {
  return new Promise((resolve) => {
    realSetImmediate(resolve);
  });
}
