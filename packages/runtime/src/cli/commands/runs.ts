import { RUN_STATUSES, type RunStatus } from '../../run/lifecycle.js';
import { badArguments, numberOption, textOption } from '../arguments.js';
import type { Command, CommandInput } from '../command.js';
import { standing } from '../standing.js';

const DEFAULT_LIMIT = 50;

export const runs: Command = {
  name: 'runs',
  summary: 'list runs, the newest change first',
  positionals: [],
  options: {
    status: { type: 'string', value: 'STATUS', help: `only ${RUN_STATUSES.join(', ')}` },
    dead: { type: 'boolean', help: 'only dead letters: what needs a person' },
    limit: { type: 'string', value: 'N', help: `how many at most (default: ${String(DEFAULT_LIMIT)})` },
  },
  async run(context) {
    const { printer, options } = context;
    const status = statusOf(context);
    const found = await (
      await context.runtime()
    ).operations.list({
      limit: numberOption(context, 'limit', 1, 1_000) ?? DEFAULT_LIMIT,
      ...(status === null ? {} : { status }),
      ...(options['dead'] === true ? { isDeadLetter: true } : {}),
    });
    printer.json({ runs: found });
    if (found.length === 0) {
      printer.line('No run.');
    }
    printer.table(
      ['RUN', 'STATUS', 'ACTOR', 'STEPS', 'CHANGED', 'MORE'],
      found.map((run) => [run.runId, run.status, run.actor.id, run.steps, run.updatedAt, standing(run)]),
    );
  },
};

function statusOf(input: CommandInput): RunStatus | null {
  const text = textOption(input, 'status');
  if (text === null) {
    return null;
  }
  const found = RUN_STATUSES.find((known) => known === text);
  if (found === undefined) {
    throw badArguments(
      `Expected --status to be one of ${RUN_STATUSES.join(', ')}, found ${JSON.stringify(text)}.`,
    );
  }
  return found;
}
