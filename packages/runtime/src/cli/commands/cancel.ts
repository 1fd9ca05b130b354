import { positional } from '../arguments.js';
import type { Command } from '../command.js';

const SAID = {
  cancelled: 'The run is cancelled.',
  requested: 'The run stops at its next step boundary.',
  ended: 'The run had ended before; nothing was changed.',
} as const;

export const cancel: Command = {
  name: 'cancel',
  summary: 'stop a running run at its next step, or a queued or paused one now',
  positionals: ['RUN'],
  options: {},
  async run(context) {
    const runId = positional(context, 0, 'the id of a run');
    const answer = await (await context.runtime()).cancel(runId);
    context.printer.json({ runId, answer });
    context.printer.line(SAID[answer]);
  },
};
