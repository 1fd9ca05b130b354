import type { Command, OptionSpec } from './command.js';
import { COMMON_OPTIONS } from './parse-command-line.js';

export function helpText(commands: readonly Command[]): string {
  const width = Math.max(...commands.map((command) => usageOf(command).length));
  return `Operates the runs of a host.

Usage: toolwright-runtime COMMAND [options]

Commands:
${commands.map((command) => `  ${usageOf(command).padEnd(width)}  ${command.summary}`).join('\n')}

Options of all commands:
${optionLines(COMMON_OPTIONS)}

The module of --host exports \`runtime\`: what createRuntime gives, or a function that makes it; and, where there is
something to close, \`close\`.

Exit code: 0 done; 1 the run or the store does not allow it; 2 the command was not given what it needs.
`;
}

export function commandHelpText(command: Command): string {
  return `${command.summary}

Usage: toolwright-runtime ${usageOf(command)} [options]

Options:
${optionLines({ ...command.options, ...COMMON_OPTIONS })}
`;
}

function usageOf({ name, positionals }: Command): string {
  return [name, ...positionals].join(' ');
}

function optionLines(options: Readonly<Record<string, OptionSpec>>): string {
  const lines = Object.entries(options).map(
    ([name, { value, help }]) => [`--${name}${value === undefined ? '' : ` ${value}`}`, help] as const,
  );
  const width = Math.max(...lines.map(([usage]) => usage.length));
  return lines.map(([usage, help]) => `  ${usage.padEnd(width)}  ${help}`).join('\n');
}
