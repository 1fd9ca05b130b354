import { textOf, textPartsOf, type AbstractValue } from '../model/abstract-value.js';

/** A command's arguments, told apart into options and the rest. */
export interface CommandLine {
  readonly options: readonly CommandOption[];
  readonly positionals: readonly AbstractValue[];
  /** Index, in the arguments, of every positional. */
  readonly positionalIndices: readonly number[];
  /** Where options end: the index of `--`, or that of no argument. */
  readonly dashes: number;
  /** Whether there may be arguments of which nothing is known. */
  readonly isOpen: boolean;
}

export interface CommandOption {
  readonly name: string;
  /** The value after `=`, or the next argument; null for a switch. */
  readonly value: AbstractValue | null;
}

/**
 * Tells options from the rest. `valueOptions` are those that take the next argument; everything behind
 * `--` is no option.
 */
export function readCommandLine(
  args: readonly AbstractValue[],
  valueOptions: ReadonlySet<string>,
  isOpen: boolean,
): CommandLine {
  const options: CommandOption[] = [];
  const positionals: AbstractValue[] = [];
  const positionalIndices: number[] = [];
  let isBehindDashes = false;
  let dashes = args.length;
  for (let index = 0; index < args.length; index += 1) {
    const argument = args[index];
    if (argument === undefined) continue;
    const head = textPartsOf(argument)?.[0] ?? '';
    if (isBehindDashes || !/^[-+]./.test(head) || /^[-+]\d/.test(head)) {
      positionals.push(argument);
      positionalIndices.push(index);
    } else if (head === '--') {
      isBehindDashes = true;
      dashes = index;
    } else {
      const equals = head.indexOf('=');
      const name = equals === -1 ? head : head.slice(0, equals);
      if (equals !== -1) {
        const text = textOf(argument);
        options.push({
          name,
          value: text === null ? argument : { kind: 'constant', value: text.slice(equals + 1) },
        });
      } else if (valueOptions.has(name)) {
        options.push({ name, value: args[index + 1] ?? null });
        index += 1;
      } else options.push({ name, value: null });
    }
  }
  return { options, positionals, positionalIndices, dashes, isOpen };
}

/** The first option of some that is given: by its name, with a glued value (`-XPOST`), or in a bundle (`-rf`). */
export function findOption(line: CommandLine, names: ReadonlySet<string>): CommandOption | null {
  for (const option of line.options) {
    if (names.has(option.name)) return option;
    if (/^-[A-Za-z]/.test(option.name) && option.name.length > 2) {
      const short = option.name.slice(0, 2);
      if (names.has(short)) {
        const glued = option.value ?? ({ kind: 'constant', value: option.name.slice(2) } as const);
        return { name: short, value: glued };
      }
      const bundled = [...names].find(
        (name) => name.length === 2 && (/^-[A-Za-z]+/.exec(option.name)?.[0] ?? '').includes(name.charAt(1)),
      );
      if (bundled !== undefined) return { name: bundled, value: null };
    }
  }
  return null;
}
