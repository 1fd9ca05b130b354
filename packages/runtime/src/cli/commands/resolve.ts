import type { WriteResolution } from '../../operator/run-operations.js';
import { AS, badArguments, person, positional, textOption } from '../arguments.js';
import type { Command, CommandContext } from '../command.js';
import { recordLine } from '../step-line.js';

export const resolve: Command = {
  name: 'resolve',
  summary: 'record what you found out about a write whose outcome was unknown; its call never runs again',
  positionals: ['RUN'],
  options: {
    landed: { type: 'string', value: 'TABLE:UID', help: 'it wrote this record' },
    'not-landed': { type: 'boolean', help: 'it wrote nothing' },
    call: { type: 'string', value: 'CALL', help: 'which call, where several have no known outcome' },
    reason: { type: 'string', value: 'TEXT', help: 'how you know' },
    as: AS,
  },
  async run(context) {
    const { printer } = context;
    const runId = positional(context, 0, 'the id of a run');
    const by = person(context, 'what you found');
    const outcome = outcomeOf(context);
    const callId = textOption(context, 'call');
    const runtime = await context.runtime();
    const resolved = await runtime.resolve(runId, {
      outcome,
      by: by.id,
      reason: textOption(context, 'reason'),
      ...(callId === null ? {} : { callId }),
    });
    printer.json({ runId, callId: resolved.callId, outcome });
    printer.line(
      outcome.kind === 'landed'
        ? `Call ${resolved.callId} wrote ${recordLine(outcome.target)}.`
        : `Call ${resolved.callId} wrote nothing.`,
    );
    const run = await runtime.operations.find(runId);
    if (run?.status === 'failed') {
      printer.line(`Put the run back with: toolwright-runtime requeue ${runId}`);
    }
  },
};

function outcomeOf(context: CommandContext): WriteResolution['outcome'] {
  const landed = textOption(context, 'landed');
  const isNotLanded = context.options['not-landed'] === true;
  if ((landed === null) === !isNotLanded) {
    throw badArguments(
      `Expected either --landed TABLE:UID or --not-landed, found ${isNotLanded ? 'both' : 'neither'}. Read the record first.`,
    );
  }
  if (landed === null) {
    return { kind: 'not_landed' };
  }
  const at = landed.indexOf(':');
  const [table, uid] = [landed.slice(0, at), landed.slice(at + 1)];
  if (at < 1 || uid === '') {
    throw badArguments(
      `Expected --landed to be TABLE:UID, such as pages:12, found ${JSON.stringify(landed.slice(0, 300))}.`,
    );
  }
  const number = Number(uid);
  const isNumber = /^[1-9]\d{0,15}$/u.test(uid) && Number.isSafeInteger(number);
  return { kind: 'landed', target: { table, uid: isNumber ? number : uid } };
}
