import type { Runtime } from '../../create-runtime.js';
import { RuntimeError } from '../../errors.js';
import type { Pause, RunResult } from '../../run/run-result.js';
import { AS, badArguments, person, positional, textOption } from '../arguments.js';
import type { Command, CommandContext } from '../command.js';
import type { Printer } from '../printer.js';
import { recordLine } from '../step-line.js';

const DECISION_OPTIONS = {
  as: AS,
  digest: {
    type: 'string',
    value: 'DIGEST',
    help: 'the digest that was shown; refuses when the call or its preview is another one by now',
  },
  'no-resume': { type: 'boolean', help: 'only record the decision' },
} as const;

export const approve: Command = {
  name: 'approve',
  summary: 'approve exactly one call that waits; the run goes on here once nothing waits any more',
  positionals: ['RUN', '[CALL]'],
  options: DECISION_OPTIONS,
  run: (context) => decide(context, 'approved', (runtime, pause, by) => runtime.approve(pause, by)),
};

export const decline: Command = {
  name: 'decline',
  summary: 'decline it: the call never runs, and the model is told',
  positionals: ['RUN', '[CALL]'],
  options: {
    ...DECISION_OPTIONS,
    reason: { type: 'string', value: 'TEXT', help: 'why; the model is told' },
  },
  run: (context) =>
    decide(context, 'declined', (runtime, pause, by) =>
      runtime.decline(pause, by, textOption(context, 'reason') ?? undefined),
    ),
};

export const resume: Command = {
  name: 'resume',
  summary: 'go on with a paused run whose calls are decided about, or whose pauses have expired',
  positionals: ['RUN'],
  options: {},
  async run(context) {
    const runId = positional(context, 0, 'the id of a run');
    const result = await (await context.runtime()).resume(runId);
    context.printer.json({ result: shown(result) });
    printResult(context.printer, result);
  },
};

async function decide(
  context: CommandContext,
  phase: 'approved' | 'declined',
  record: (runtime: Runtime, pause: Pause, by: { readonly id: string }) => Promise<void>,
): Promise<void> {
  const { printer, options } = context;
  const runId = positional(context, 0, 'the id of a run');
  const by = person(context, 'a decision');
  const runtime = await context.runtime();
  const pause = pauseOf(context, await runtime.pauses(runId), runId);
  await record(runtime, { ...pause, digest: textOption(context, 'digest') ?? pause.digest }, by);
  printer.line(`${pause.tool} [${pause.callId}] is ${phase}.`);
  const decision = { runId, callId: pause.callId, tool: pause.tool, phase, by: by.id };
  const waiting = await runtime.pauses(runId);
  if (waiting.length > 0 || options['no-resume'] === true) {
    printer.json({ decision, waiting: waiting.map(({ callId }) => callId) });
    const verb = waiting.length === 1 ? 'waits' : 'wait';
    printer.line(
      waiting.length > 0
        ? `${waiting.map(({ tool, callId }) => `${tool} [${callId}]`).join(', ')} still ${verb}.`
        : `Go on with: toolwright-runtime resume ${runId}`,
    );
    return;
  }
  const result = await runtime.resume(runId);
  printer.json({ decision, waiting: [], result: shown(result) });
  printResult(printer, result);
}

/**
 * The call that was named, or the only one that waits.
 *
 * @throws RuntimeError with code `APPROVAL_NOT_PENDING`, or `BAD_ARGUMENTS` when it has to be named.
 */
function pauseOf(context: CommandContext, pauses: readonly Pause[], runId: string): Pause {
  const named = context.positionals[1];
  const [found, second] = named === undefined ? pauses : pauses.filter(({ callId }) => callId === named);
  const waiting = pauses.map(({ tool, callId }) => `${callId} (${tool})`).join(', ');
  if (found === undefined) {
    throw new RuntimeError(
      'APPROVAL_NOT_PENDING',
      `Cannot decide: expected ${named === undefined ? 'a call' : `call ${JSON.stringify(named)}`} of run ` +
        `${JSON.stringify(runId)} to wait for a person, found that ` +
        `${waiting === '' ? 'nothing of it waits' : `only these wait: ${waiting}`}. See: toolwright-runtime show ${runId} --as YOU`,
    );
  }
  if (second !== undefined) {
    throw badArguments(`Several calls of run ${JSON.stringify(runId)} wait. Name one of ${waiting}.`);
  }
  return found;
}

function shown(result: RunResult): unknown {
  if (result.status !== 'failed') {
    return result;
  }
  const { error, ...rest } = result;
  return { ...rest, error: { code: error.code, message: error.message } };
}

function printResult(printer: Printer, result: RunResult): void {
  printer.line(`The run is ${result.status}.`);
  printer.table(
    ['CALL', 'TOOL', 'OUTCOME', 'RECORD'],
    result.writes.map(({ callId, tool, outcome, target }) => [
      callId,
      tool,
      outcome,
      target === null ? '' : recordLine(target),
    ]),
  );
  if (result.status === 'completed') {
    printer.line(result.answer);
  } else if (result.status === 'failed') {
    printer.line(result.failure.message);
  } else if (result.status === 'paused') {
    const count = result.pauses.length;
    printer.line(
      `${count === 1 ? 'One call waits' : `${String(count)} calls wait`}: toolwright-runtime show ${result.runId} --as YOU`,
    );
  }
}
