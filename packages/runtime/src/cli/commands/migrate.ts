import { openDatabase, type DatabaseOptions } from '../../store/sql/open-database.js';
import { SCHEMA_VERSION } from '../../store/sql/migrations.js';
import path from 'node:path';
import { badArguments, textOption } from '../arguments.js';
import type { Command, CommandContext } from '../command.js';

const URL_VARIABLE = 'TOOLWRIGHT_STORE_URL';

export const migrate: Command = {
  name: 'migrate',
  summary: 'create the schema of a store, or bring it up to date; needs no host',
  positionals: [],
  options: {
    file: {
      type: 'string',
      value: 'FILE',
      help: `the SQLite file; without it, the PostgreSQL of ${URL_VARIABLE}`,
    },
    schema: { type: 'string', value: 'NAME', help: 'the schema in PostgreSQL (default: toolwright)' },
  },
  async run(context) {
    const { runner, dialect } = await openDatabase(placeOf(context));
    await runner.close();
    context.printer.json({ database: dialect.name, version: SCHEMA_VERSION });
    context.printer.line(`The schema is at version ${String(SCHEMA_VERSION)} (${dialect.name}).`);
  },
};

function placeOf(context: CommandContext): DatabaseOptions {
  const { cwd, env } = context.terminal;
  const file = textOption(context, 'file');
  const schema = textOption(context, 'schema');
  const url = env[URL_VARIABLE] ?? '';
  if (file !== null) {
    if (schema !== null) {
      throw badArguments('--schema is for PostgreSQL, and --file for SQLite: give one of them.');
    }
    return { file: path.resolve(cwd, file) };
  }
  if (url === '') {
    // A command line is seen by everybody on the machine, and a URL has a password in it.
    throw badArguments(
      `Expected --file FILE, or a URL in the environment variable ${URL_VARIABLE}, found neither.`,
    );
  }
  return schema === null ? { url } : { url, schema };
}
