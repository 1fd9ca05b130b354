import type { Command } from './command.js';
import { cancel } from './commands/cancel.js';
import { approve, decline, resume } from './commands/decide.js';
import { migrate } from './commands/migrate.js';
import { outcomes } from './commands/outcomes.js';
import { purge } from './commands/purge.js';
import { rate } from './commands/rate.js';
import { reap } from './commands/reap.js';
import { requeue } from './commands/requeue.js';
import { resolve } from './commands/resolve.js';
import { rotateKey } from './commands/rotate-key.js';
import { runs } from './commands/runs.js';
import { schedules } from './commands/schedules.js';
import { show } from './commands/show.js';
import { work } from './commands/work.js';

/**
 * Every command, in the order of the help. A new one is a file in commands/ and a line here: it declares its
 * options, and gets the runtime, a printer and what was given.
 */
export const COMMANDS: readonly Command[] = [
  migrate,
  work,
  reap,
  runs,
  show,
  schedules,
  approve,
  decline,
  resume,
  cancel,
  requeue,
  resolve,
  outcomes,
  rate,
  purge,
  rotateKey,
];
