import type { Runtime } from '../create-runtime.js';
import type { Printer } from './printer.js';
import type { Terminal } from './terminal.js';

export interface OptionSpec {
  readonly type: 'string' | 'boolean';
  readonly help: string;
  /** What stands for its value in the help. */
  readonly value?: string;
}

/** What a command was given, read and checked for names. */
export interface CommandInput {
  readonly positionals: readonly string[];
  readonly options: Readonly<Record<string, string | boolean | undefined>>;
}

export interface CommandContext extends CommandInput {
  readonly terminal: Terminal;
  readonly printer: Printer;
  /** Loads the host on the first use. @throws RuntimeError with code `HOST_NOT_LOADED`. */
  readonly runtime: () => Promise<Runtime>;
}

/** One command of the operator. */
export interface Command {
  readonly name: string;
  readonly summary: string;
  /** Its positional arguments, such as `RUN`; those in brackets may be left out. */
  readonly positionals: readonly string[];
  readonly options: Readonly<Record<string, OptionSpec>>;
  run(context: CommandContext): Promise<void>;
}
