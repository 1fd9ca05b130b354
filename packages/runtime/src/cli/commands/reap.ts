import type { Command } from '../command.js';

export const reap: Command = {
  name: 'reap',
  summary: 'put back or bury the runs whose owner vanished, as a worker does from time to time',
  positionals: [],
  options: {},
  async run({ runtime, printer }) {
    const reaped = await (await runtime()).reap(1_000);
    printer.json({ reaped });
    printer.line(
      reaped.length === 0 ? 'No lease has expired.' : `${String(reaped.length)} runs were looked at.`,
    );
    printer.table(
      ['RUN', 'BECAME', 'WHY'],
      reaped.map(({ runId, disposition }) =>
        disposition.kind === 'requeue'
          ? [runId, 'queued', `due in ${String(disposition.waitMs)} ms`]
          : [runId, 'dead letter', `${disposition.reason}, ${disposition.detail}`],
      ),
    );
  },
};
