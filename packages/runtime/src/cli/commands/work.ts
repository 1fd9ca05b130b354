import { numberOption } from '../arguments.js';
import type { Command } from '../command.js';

export const work: Command = {
  name: 'work',
  summary: 'drive queued runs until a SIGTERM or SIGINT, then finish those that are under way',
  positionals: [],
  options: {
    concurrency: { type: 'string', value: 'N', help: 'most runs at once (default: 4)' },
  },
  async run(context) {
    const { printer, terminal } = context;
    const concurrency = numberOption(context, 'concurrency', 1, 1_000);
    const runtime = await context.runtime();
    const stop = new AbortController();
    const forget = terminal.onStopSignal(() => {
      if (!stop.signal.aborted) {
        printer.aside('Takes no more runs, and finishes those that are under way.');
        stop.abort();
      }
    });
    printer.aside('Works.');
    try {
      await runtime.work({ signal: stop.signal, ...(concurrency === null ? {} : { concurrency }) });
    } finally {
      forget();
    }
    printer.json({ ended: 'drained' });
    printer.aside('Has finished.');
  },
};
