import type { ScheduleStanding } from '../../schedule/schedule-standing.js';
import type { Command } from '../command.js';

export const schedules: Command = {
  name: 'schedules',
  summary: 'list the recurring runs, with their last and their next time',
  positionals: [],
  options: {},
  async run({ printer, runtime, terminal }) {
    const found = await (await runtime()).schedules();
    printer.json({ schedules: found });
    if (found.length === 0) {
      printer.line('No schedule. Give createRuntime some as `schedules`, and let a worker run.');
    }
    printer.table(
      ['SCHEDULE', 'CRON', 'TIME ZONE', 'DONE UNTIL', 'NEXT', 'MORE'],
      found.map((one) => [
        one.id,
        one.cron,
        one.timeZone,
        one.doneUntil,
        one.next,
        remark(one, terminal.now()),
      ]),
    );
  },
};

function remark({ state, next }: ScheduleStanding, now: Date): string | null {
  switch (state) {
    case 'not_begun':
      return 'no worker has begun it: start one';
    case 'changed':
      return 'this host has another expression: workers that start now go by that';
    case 'not_here':
      return 'not a schedule of this host';
    case 'begun':
      return next !== null && Date.parse(next) < now.getTime() ? 'overdue: no worker has met it' : null;
  }
}
