import type { ProgramLanguage } from '../classify/program-text.js';
import type { Outcome, SqlDialect } from './library-file.js';

/** One file of `commands/`: what programs do by their arguments. The schema is `commands.schema.json`. */
export interface CommandFile {
  readonly $schema?: string;
  readonly source: string;
  readonly note?: string;
  /** By name; several names of one command apart by blanks. */
  readonly commands: Readonly<Record<string, CommandRule>>;
}

/** What a command, or a subcommand, does. Looked at in the order: wraps, subcommands, flags, positionals, outcome. */
export interface CommandRule extends Partial<Outcome> {
  readonly source?: string;
  /** Options that take the next argument as their value. */
  readonly valueOptions?: string;
  readonly subcommands?: Readonly<Record<string, CommandRule>>;
  /** Without any subcommand. */
  readonly bare?: Outcome;
  /** First whose option is given. `-X=v` and bundled short options count too. */
  readonly flags?: readonly (Outcome & { readonly any: string })[];
  /** First that has so many arguments which are no options. */
  readonly positionals?: readonly (Outcome & { readonly min: number })[];
  /** The arguments (after so many positionals) are a command of their own: sudo, env, timeout. */
  readonly wraps?: number;
  /** For what no subcommand names: the first positional from here on that reads as a verb decides, by name. */
  readonly verbFrom?: number;
  /** Options whose value is shell text: `sh -c`. */
  readonly shellOption?: string;
  /** Options, or the positional (0-based), that hold SQL. */
  readonly sql?: {
    readonly option?: string;
    readonly positional?: number;
    readonly dialect: SqlDialect;
    readonly where: 'local' | 'remote';
  };
  /** An HTTP request spelt by options. */
  readonly http?: {
    readonly method: string;
    /** Options that make it a POST. */
    readonly body: string;
    /** Options that make it a PUT. */
    readonly upload?: string;
    /** Options that make it a HEAD or GET whatever else is there. */
    readonly safe?: string;
    /** Options that write the answer into a file. */
    readonly output?: string;
    readonly url: number;
  };
  /** The program that it runs over a text: behind one of these options, else the first argument. */
  readonly program?: { readonly language: ProgramLanguage; readonly option?: string };
  /** Where it writes; under the temporary folder it is no write. */
  readonly targets?: 'positionals' | 'last';
}
