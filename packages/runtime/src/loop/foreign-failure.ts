import { SdkError, errorClass, printableLine } from '@toolwright/sdk';
import { advisesRetry } from '@toolwright/sdk/call';
import { RuntimeError } from '../errors.js';
import { redactOrWithhold, type Redactor } from './redactor.js';

const MAX_MESSAGE_LENGTH = 500;

/**
 * The message of a thrown value as one line in a fixed frame, or null where only the class may be told:
 * it was not checked for secrets (and is none of our own), is a database's, or advises another attempt.
 */
export async function messageFrame(error: unknown, redactor: Redactor | null): Promise<string | null> {
  const isOurs = error instanceof SdkError || error instanceof RuntimeError;
  if (!(error instanceof Error) || isDatabaseError(error) || (redactor === null && !isOurs)) {
    return null;
  }
  const line = printableLine(await redactOrWithhold(redactor, error.message)).trim();
  if (line === '' || advisesRetry(line)) {
    return null;
  }
  return `The error said: "${Array.from(line).slice(0, MAX_MESSAGE_LENGTH).join('')}"`;
}

const DATABASE_CLASS =
  /sql|database|postgres|prisma|sequelize|mongo|knex|drizzle|kysely|typeorm|queryfailed/iu;
const DATABASE_CODE = /^(?:SQLITE_|ER_|P\d{4}$|\d{2}[0-9A-Z]{3}$)/u;

/** Whether an error looks like a database's own, whose message quotes statements and data. */
export function isDatabaseError(error: Error): boolean {
  const { code, name } = error as { readonly code?: unknown; readonly name?: unknown };
  return (
    DATABASE_CLASS.test(errorClass(error)) ||
    DATABASE_CLASS.test(String(name)) ||
    (typeof code === 'string' && DATABASE_CODE.test(code)) ||
    'sqlState' in error ||
    'sqlMessage' in error
  );
}
