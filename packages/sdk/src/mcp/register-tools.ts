import type {
  AuthInfo,
  CallToolResult,
  McpServer,
  ServerContext,
  StandardSchemaWithJSON,
} from '@modelcontextprotocol/server';
import type { ApproveCall } from '../call/call-approval.js';
import { assertDelayMs, systemClock, systemTimer, type Timer } from '../call/call-timer.js';
import { failedReader, unknownOutcome } from '../call/call-wording.js';
import type { CallOutcome } from '../call/call-outcome.js';
import { callTool, type CallHost, type CallRecord } from '../call/tool-call.js';
import type { SafeContentHandler } from '../content/safe-content-handler.js';
import type { Actor, Clock, Logger } from '../context/tool-context.js';
import { isWrite } from '../effect/tool-effect.js';
import { SdkError } from '../errors.js';
import { errorClass } from '../failure/thrown-value.js';
import { assertDefinition } from '../tool/assert-definition.js';
import { effectOf } from '../tool/effect-of.js';
import { inputJsonSchema } from '../tool/input-json-schema.js';
import type { MaybePromise, Tool } from '../tool/tool.js';
import { OUTCOME_META_KEY, toCallToolResult } from './call-tool-result.js';
import { stderrLogger } from './stderr-logger.js';
import { EFFECT_META_KEY, annotationsOf, type ToolPresentation } from './tool-annotations.js';

/** What is known of the client when a call comes in. */
export interface McpCaller {
  /** The validated token that the HTTP entry was given; absent over stdio. */
  readonly authInfo?: AuthInfo;
}

export interface RegisterToolsOptions {
  /** Where the tools read and write. */
  readonly content: SafeContentHandler;
  /** On whose behalf the tools act: one actor (stdio), or one per caller (HTTP). */
  readonly actor: Actor | ((caller: McpCaller) => MaybePromise<Actor>);
  /**
   * Decides each declared write before it runs, with its preview. Without it the decision is left to
   * the client: MCP has no approval of its own, a client asks its user by the hints.
   */
  readonly approve?: ApproveCall;
  /** How long a tool without a `timeoutMs` of its own may run. Default 50,000: a client of the MCP SDK gives up after 60,000. */
  readonly deadlineMs?: number;
  /** Most bytes of an answer; a cut is announced. Default 50,000. */
  readonly maxContentBytes?: number;
  /** Titles and open-world hints by tool name. */
  readonly presentation?: Readonly<Record<string, ToolPresentation>>;
  /**
   * Is handed every call when it is over, for an audit; the answer waits for it. What it throws is logged
   * and changes no answer.
   */
  readonly onCall?: (record: CallRecord) => MaybePromise<void>;
  /** Default: one line of JSON per entry on standard error. */
  readonly logger?: Logger;
  readonly clock?: Clock;
  readonly timer?: Timer;
  /** Makes the id of the run, which is one connection. Default: a random UUID. */
  readonly newRunId?: () => string;
}

const DEFAULT_DEADLINE_MS = 50_000;
const DEFAULT_MAX_CONTENT_BYTES = 50_000;
// How long a tool may take to heed its aborted signal before the call goes on without it.
const GRACE_MS = 1_000;

/**
 * Adds tools to an MCP server: every hint explicit, the effect under `_meta`, and calls that end in one
 * of the three outcomes. Register other things on the same server as usual.
 *
 * @throws SdkError with code `INVALID_TOOL_DEFINITION` when a tool is invalid or two share a name, and
 *   `INVALID_OPTIONS` when an option is out of its range or `presentation` names no tool.
 */
export function registerTools(
  server: McpServer,
  tools: readonly Tool[],
  options: RegisterToolsOptions,
): void {
  assertTools(tools);
  assertOptions(tools, options);
  const runId = (options.newRunId ?? (() => crypto.randomUUID()))();
  for (const tool of tools) {
    const annotations = annotationsOf(tool, options.presentation?.[tool.name]);
    server.registerTool(
      tool.name,
      {
        title: annotations.title,
        description: tool.description,
        inputSchema: listedSchema(tool),
        annotations,
        _meta: { [EFFECT_META_KEY]: effectOf(tool) },
      },
      (args, context) => answer(tool, args, context, runId, options),
    );
  }
}

// The server lists the schema and hands the arguments on as they came: they are parsed once, by the call.
function listedSchema(tool: Tool): StandardSchemaWithJSON {
  const schema = inputJsonSchema(tool);
  return {
    '~standard': {
      version: 1,
      vendor: 'toolwright',
      validate: (value) => ({ value }),
      jsonSchema: { input: () => schema, output: () => schema },
    },
  };
}

async function answer(
  tool: Tool,
  args: unknown,
  context: ServerContext,
  runId: string,
  options: RegisterToolsOptions,
): Promise<CallToolResult> {
  const logger = options.logger ?? stderrLogger;
  const maxContentBytes = options.maxContentBytes ?? DEFAULT_MAX_CONTENT_BYTES;
  const callId = String(context.mcpReq.id);
  const where = { tool: tool.name, runId, callId };
  let host: CallHost;
  try {
    host = await hostOf(tool, context, runId, callId, options, logger);
  } catch (error) {
    logger.error('call refused: the acting user could not be determined', {
      ...where,
      error: errorClass(error),
    });
    return failed(
      tool,
      'The call was refused and nothing was done: the acting user is unknown.',
      'not_landed',
    );
  }
  try {
    const record = await callTool(tool, args, host);
    report(record, where, context.mcpReq.signal.aborted, logger);
    await audit(record, where, options, logger);
    return toCallToolResult(record, maxContentBytes);
  } catch (error) {
    // The host's own code failed (its content handler, for one). The server would send the error's message.
    logger.error('call failed outside the tool', { ...where, error: errorClass(error) });
    const why = errorClass(error);
    return isWrite(effectOf(tool))
      ? failed(tool, unknownOutcome([], why), 'unknown')
      : failed(tool, failedReader(tool.name, why), 'not_landed');
  }
}

async function hostOf(
  tool: Tool,
  context: ServerContext,
  runId: string,
  callId: string,
  options: RegisterToolsOptions,
  logger: Logger,
): Promise<CallHost> {
  const { content, approve = null } = options;
  const deadlineMs = tool.timeoutMs ?? options.deadlineMs ?? DEFAULT_DEADLINE_MS;
  const { clock = systemClock, timer = systemTimer } = options;
  const authInfo = context.http?.authInfo;
  const actor =
    typeof options.actor === 'function'
      ? await options.actor(authInfo === undefined ? {} : { authInfo })
      : options.actor;
  assertActor(actor);
  const { signal } = context.mcpReq;
  const grace = (): Promise<void> =>
    new Promise((resolve) => {
      timer.schedule(GRACE_MS, resolve);
    });
  return { content, actor, approve, deadlineMs, clock, timer, logger, runId, callId, signal, grace };
}

function failed(tool: Tool, text: string, outcome: CallOutcome): CallToolResult {
  const meta = isWrite(effectOf(tool)) ? { _meta: { [OUTCOME_META_KEY]: outcome } } : {};
  return { content: [{ type: 'text', text }], isError: true, ...meta };
}

// A client that has cancelled gets no answer, so the log is then the only place that says what happened.
function report(
  record: CallRecord,
  where: Readonly<Record<string, string>>,
  isCancelled: boolean,
  logger: Logger,
): void {
  const { failure, outcome, result } = record;
  const target = result.target === null ? {} : { table: result.target.table, uid: result.target.uid };
  const fields = { ...where, effect: record.effect, kind: result.kind, outcome, ...target };
  if (failure?.kind === 'threw') {
    logger.error('tool threw', { ...fields, error: errorClass(failure.error) });
  } else if (failure?.kind === 'contract_violation') {
    logger.error('tool broke its contract', { ...fields, rule: failure.rule, found: failure.found });
  } else if (failure !== null) {
    logger.warn('tool did not answer in time', { ...fields, why: failure.kind });
  } else if (isCancelled) {
    logger.warn('call ended after its client had cancelled it', fields);
  } else if (isWrite(record.effect)) {
    logger.info('write call ended', fields);
  }
  for (const note of record.notes) {
    logger.warn('note of the content handler', { ...where, note });
  }
}

async function audit(
  record: CallRecord,
  where: Readonly<Record<string, string>>,
  options: RegisterToolsOptions,
  logger: Logger,
): Promise<void> {
  try {
    await options.onCall?.(record);
  } catch (error) {
    logger.error('onCall failed', { ...where, outcome: record.outcome, error: errorClass(error) });
  }
}

function assertTools(tools: readonly Tool[]): void {
  const names = new Set<string>();
  for (const tool of tools) {
    assertDefinition(tool as unknown as Readonly<Record<string, unknown>>);
    if (names.has(tool.name)) {
      throw new SdkError(
        'INVALID_TOOL_DEFINITION',
        `Cannot serve the tools: expected every name once, found "${tool.name}" twice. Rename one of the two.`,
      );
    }
    if (tool.name in Object.prototype) {
      // The server keeps its tools in a plain object, in which such a name is taken.
      throw new SdkError(
        'INVALID_TOOL_DEFINITION',
        `Cannot serve the tool "${tool.name}": expected a name that no JavaScript object has by itself. Rename the tool.`,
      );
    }
    names.add(tool.name);
  }
}

function assertOptions(tools: readonly Tool[], options: RegisterToolsOptions): void {
  const { deadlineMs = DEFAULT_DEADLINE_MS, maxContentBytes = DEFAULT_MAX_CONTENT_BYTES } = options;
  assertDelayMs('deadlineMs', deadlineMs);
  if (typeof options.actor !== 'function') {
    assertActor(options.actor);
  }
  if (!Number.isSafeInteger(maxContentBytes) || maxContentBytes < 1_000) {
    throw new SdkError(
      'INVALID_OPTIONS',
      `Cannot use maxContentBytes: expected a whole number of bytes from 1000, found ${String(maxContentBytes)}.`,
    );
  }
  for (const name of Object.keys(options.presentation ?? {})) {
    if (!tools.some((tool) => tool.name === name)) {
      throw new SdkError(
        'INVALID_OPTIONS',
        `Cannot use presentation: expected the names of served tools, found ${JSON.stringify(name)}. ` +
          `The tools are ${tools.map((tool) => tool.name).join(', ')}.`,
      );
    }
  }
}

function assertActor(actor: unknown): asserts actor is Actor {
  const id: unknown = typeof actor === 'object' && actor !== null ? (actor as Partial<Actor>).id : undefined;
  if (typeof id !== 'string' || id === '') {
    throw new SdkError(
      'INVALID_OPTIONS',
      'Cannot use actor: expected an object with a non-empty id, or a function that answers one. ' +
        'Name on whose behalf the tools act.',
    );
  }
}
