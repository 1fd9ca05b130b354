import { parseArgs } from 'node:util';
import { closest, distance } from 'fastest-levenshtein';
import { badArguments } from './arguments.js';
import type { Command, CommandInput, OptionSpec } from './command.js';

/** Options of every command. */
export const COMMON_OPTIONS: Readonly<Record<string, OptionSpec>> = {
  host: {
    type: 'string',
    value: 'FILE',
    help: 'the module that exports the runtime (default: the environment variable TOOLWRIGHT_HOST)',
  },
  json: { type: 'boolean', help: 'print one JSON document' },
  help: { type: 'boolean', help: 'print this' },
};

/**
 * Reads what a command was given.
 *
 * @throws RuntimeError with code `BAD_ARGUMENTS`.
 */
export function parseCommandLine(command: Command, args: readonly string[]): CommandInput {
  const specs = { ...command.options, ...COMMON_OPTIONS };
  const { tokens } = parseArgs({
    args: [...args],
    options: Object.fromEntries(Object.entries(specs).map(([name, { type }]) => [name, { type }])),
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  const positionals: string[] = [];
  const options: Record<string, string | boolean> = {};
  for (const token of tokens) {
    if (token.kind === 'positional') {
      positionals.push(token.value);
    } else if (token.kind === 'option') {
      const spec = Object.hasOwn(specs, token.name) ? specs[token.name] : undefined;
      if (spec === undefined) {
        throw badArguments(
          `Unknown option ${token.rawName} of ${command.name}.${suggest(
            token.rawName,
            Object.keys(specs).map((name) => `--${name}`),
          )} See ${command.name} --help.`,
        );
      }
      if (Object.hasOwn(options, token.name)) {
        throw badArguments(`${token.rawName} can be given once.`);
      }
      options[token.name] = valueOf(spec, token.rawName, token.value);
    }
  }
  if (positionals.length > command.positionals.length) {
    throw badArguments(
      `Expected ${command.positionals.join(' ') || 'no arguments'} after ${command.name}, found ` +
        `${String(positionals.length)} arguments. See ${command.name} --help.`,
    );
  }
  return { positionals, options };
}

/** ` Did you mean "…"?` for the known word nearest to a mistyped one; empty when none is near. */
export function suggest(written: string, known: readonly string[]): string {
  const nearest = known.length === 0 ? '' : closest(written, known);
  return nearest !== '' && distance(written, nearest) <= Math.max(2, written.length / 2)
    ? ` Did you mean "${nearest}"?`
    : '';
}

function valueOf(spec: OptionSpec, rawName: string, value: string | undefined): string | boolean {
  if (spec.type === 'boolean') {
    if (value !== undefined) {
      throw badArguments(`${rawName} takes no value, found ${JSON.stringify(value)}.`);
    }
    return true;
  }
  if (value === undefined || value === '' || value.startsWith('--')) {
    throw badArguments(
      `${rawName} needs a value, found ${value === undefined ? 'none' : JSON.stringify(value)}.`,
    );
  }
  return value;
}
