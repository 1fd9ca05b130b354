import { durationOption } from '../arguments.js';
import type { Command } from '../command.js';

export const purge: Command = {
  name: 'purge',
  summary: 'delete runs that ended long ago, with their steps; one with an open write stays',
  positionals: [],
  options: {
    'older-than': {
      type: 'string',
      value: 'TIME',
      help: 'how long ago their last change was: 90m, 36h, 30d, 12w',
    },
  },
  async run(context) {
    const { printer, terminal } = context;
    const before = new Date(terminal.now().getTime() - durationOption(context, 'older-than'));
    const purged = await (await context.runtime()).operations.purge(before);
    printer.json({ purged, before: before.toISOString() });
    printer.line(`${String(purged)} runs that ended before ${before.toISOString()} are deleted.`);
  },
};
