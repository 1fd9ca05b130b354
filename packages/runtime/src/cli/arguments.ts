import { RuntimeError } from '../errors.js';
import type { CommandContext, CommandInput } from './command.js';

export const AS = {
  type: 'string',
  value: 'PERSON',
  help: 'on whose behalf you look or decide: the id that the host knows',
} as const;

export function badArguments(message: string): RuntimeError {
  return new RuntimeError('BAD_ARGUMENTS', message);
}

/** @throws RuntimeError with code `BAD_ARGUMENTS` when it was not given. */
export function positional({ positionals }: CommandInput, index: number, name: string): string {
  const value = positionals[index];
  if (value === undefined || value === '') {
    throw badArguments(`Expected ${name}, found none. See --help.`);
  }
  return value;
}

export function textOption({ options }: CommandInput, name: string): string | null {
  const value = options[name];
  return typeof value === 'string' && value !== '' ? value : null;
}

/** The person on whose behalf the command decides. @throws RuntimeError with code `BAD_ARGUMENTS`. */
export function person(context: CommandContext, action: string): { readonly id: string } {
  const id = textOption(context, 'as');
  if (id === null) {
    throw badArguments(`Expected --as PERSON, found none: ${action} is recorded with who did it.`);
  }
  return { id };
}

/** @throws RuntimeError with code `BAD_ARGUMENTS` when it is no whole number of that range. */
export function numberOption(input: CommandInput, name: string, from: number, to: number): number | null {
  const text = textOption(input, name);
  if (text === null) {
    return null;
  }
  const value = Number(text);
  if (!/^\d{1,9}$/u.test(text) || value < from || value > to) {
    throw badArguments(
      `Expected --${name} to be a whole number from ${String(from)} to ${String(to)}, found ${JSON.stringify(text)}.`,
    );
  }
  return value;
}

const UNITS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/** A time as `90m`, `36h`, `30d` or `12w`, in milliseconds. @throws RuntimeError with code `BAD_ARGUMENTS`. */
export function durationOption(input: CommandInput, name: string): number {
  const text = textOption(input, name) ?? '';
  const [, count, unit] = /^(\d{1,5})([mhdw])$/u.exec(text) ?? [];
  const ms = UNITS[unit ?? ''];
  if (count === undefined || ms === undefined) {
    throw badArguments(
      `Expected --${name} to be a number with m, h, d or w, such as 30d, found ${JSON.stringify(text)}.`,
    );
  }
  return Number(count) * ms;
}

const DATE = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:\d{2}))?$/u;

/**
 * A time as so long ago (`30d`), a date in UTC (`2026-01-31`) or a time with its zone; null when it was not given.
 *
 * @throws RuntimeError with code `BAD_ARGUMENTS`.
 */
export function timeOption(input: CommandInput, name: string, now: Date): Date | null {
  const text = textOption(input, name);
  if (text === null) {
    return null;
  }
  if (/^\d{1,5}[mhdw]$/u.test(text)) {
    return new Date(now.getTime() - durationOption(input, name));
  }
  const time = DATE.test(text) ? Date.parse(text) : NaN;
  if (Number.isNaN(time)) {
    throw badArguments(
      `Expected --${name} to be a time such as 30d, 2026-01-31 or 2026-01-31T12:00:00Z, found ${JSON.stringify(text)}.`,
    );
  }
  return new Date(time);
}
