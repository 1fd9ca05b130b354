import { readFileSync } from 'node:fs';
import { errorClass } from '@toolwright/sdk';
import { RuntimeError } from '../errors.js';
import { redactOrWithhold } from '../secrets/redactor.js';
import { secretRedactor } from '../secrets/secret-redactor.js';
import { badArguments, textOption } from './arguments.js';
import { COMMANDS } from './commands.js';
import type { Command } from './command.js';
import { commandHelpText, helpText } from './help.js';
import { loadHost, type LoadedHost } from './load-host.js';
import { parseCommandLine, suggest } from './parse-command-line.js';
import { Printer } from './printer.js';
import type { Terminal } from './terminal.js';

export const EXIT_DONE = 0;
export const EXIT_REFUSED = 1;
export const EXIT_USAGE = 2;

const USAGE_CODES = new Set([
  'BAD_ARGUMENTS',
  'HOST_NOT_LOADED',
  'INVALID_CONFIGURATION',
  'INVALID_SCHEDULE',
]);

/** What there is to run, and how a host comes in. */
export interface CommandSet {
  readonly commands: readonly Command[];
  readonly loadHost: (named: string | null, terminal: Terminal) => Promise<LoadedHost>;
}

/** Runs the command that was asked for. */
export function runCommandLine(args: readonly string[], terminal: Terminal): Promise<number> {
  return runCommand(args, terminal, { commands: COMMANDS, loadHost });
}

/** Runs one of the commands and answers its exit code. It never throws, and never ends the process. */
export async function runCommand(
  args: readonly string[],
  terminal: Terminal,
  set: CommandSet,
): Promise<number> {
  const printer = new Printer(terminal, args.includes('--json'));
  try {
    await run(args, terminal, printer, set);
    return EXIT_DONE;
  } catch (caught) {
    const error = toRuntimeError(caught);
    // It may quote what the host or a driver said.
    const message = await redactOrWithhold(secretRedactor(), error.message);
    printer.json({ error: { code: error.code, message } });
    printer.aside(`${message} (${error.code})`);
    return USAGE_CODES.has(error.code) ? EXIT_USAGE : EXIT_REFUSED;
  }
}

async function run(
  args: readonly string[],
  terminal: Terminal,
  printer: Printer,
  { commands, loadHost: load }: CommandSet,
): Promise<void> {
  const [name = '--help', ...rest] = args;
  if (name === '--help' || name === '-h' || name === 'help') {
    terminal.stdout.write(helpText(commands));
    return;
  }
  if (name === '--version' || name === '-v') {
    terminal.stdout.write(`${packageVersion()}\n`);
    return;
  }
  const command = commands.find((known) => known.name === name);
  if (command === undefined) {
    const names = commands.map((known) => known.name);
    throw badArguments(`Unknown command ${JSON.stringify(name)}.${suggest(name, names)} See --help.`);
  }
  const input = parseCommandLine(command, rest);
  if (input.options['help'] === true) {
    terminal.stdout.write(commandHelpText(command));
    return;
  }
  let host: Promise<LoadedHost> | null = null;
  try {
    await command.run({
      ...input,
      terminal,
      printer,
      runtime: async () => (await (host ??= load(textOption(input, 'host'), terminal))).runtime,
    });
  } finally {
    await closeHost(host, printer);
  }
}

/** What the command did is done, whether or not the host closes well. */
async function closeHost(host: Promise<LoadedHost> | null, printer: Printer): Promise<void> {
  const loaded = await host?.catch(() => null);
  try {
    await loaded?.close();
  } catch (error) {
    printer.aside(`The host did not close well (${errorClass(error)}).`);
  }
}

function packageVersion(): string {
  const file = new URL('../../package.json', import.meta.url);
  return (JSON.parse(readFileSync(file, 'utf8')) as { readonly version: string }).version;
}

/** Anything else may quote what nobody checked, so that its class alone is told. */
function toRuntimeError(caught: unknown): RuntimeError {
  return caught instanceof RuntimeError
    ? caught
    : new RuntimeError(
        'INTERNAL',
        `The command failed in a way that it does not know (${errorClass(caught)}). Look at the log of the host.`,
        { cause: caught },
      );
}
