import { positional } from '../arguments.js';
import type { Command } from '../command.js';

export const requeue: Command = {
  name: 'requeue',
  summary: 'put a failed run back into the queue; it goes on from its stored steps',
  positionals: ['RUN'],
  options: {
    'evidence-read': {
      type: 'boolean',
      help: 'you have read what came to light too late (show), and put the run back even so',
    },
  },
  async run(context) {
    const runId = positional(context, 0, 'the id of a run');
    const isEvidenceRead = context.options['evidence-read'] === true;
    await (await context.runtime()).operations.requeue(runId, { isEvidenceRead });
    context.printer.json({ runId, status: 'queued' });
    context.printer.line('The run is queued.');
  },
};
