import { errorClass, isDatabaseError, printableLine } from '@toolwright/sdk';
import { advisesRetry } from '@toolwright/sdk/call';
import { redactOrWithhold, type Redactor } from '../secrets/redactor.js';

const MAX_MESSAGE_LENGTH = 500;
/** A longer message is a dump of something, and not worth a redactor's time. */
const MAX_CHECKED_LENGTH = 20_000;

/**
 * The message of a thrown value as one line in a fixed frame, or null where only the class may be told: it
 * is a database's, or advises another attempt.
 */
export async function messageFrame(error: unknown, redactor: Redactor): Promise<string | null> {
  if (!(error instanceof Error) || isDatabaseError(error) || looksLikeDatabase(error)) {
    return null;
  }
  const message = String(error.message).slice(0, MAX_CHECKED_LENGTH);
  const line = printableLine(await redactOrWithhold(redactor, message)).trim();
  if (line === '' || advisesRetry(line)) {
    return null;
  }
  return `The error said: "${Array.from(line).slice(0, MAX_MESSAGE_LENGTH).join('')}"`;
}

const DATABASE_CLASS =
  /sql|database|postgres|prisma|sequelize|mongo|knex|drizzle|kysely|typeorm|queryfailed/iu;
const DATABASE_CODE = /^(?:SQLITE_|ER_|P\d{4}$|\d{2}[0-9A-Z]{3}$)/u;

/** Whether an error may be that of a database which the SDK does not know: its message quotes statements and data. */
function looksLikeDatabase(error: Error): boolean {
  const { code, name } = error as { readonly code?: unknown; readonly name?: unknown };
  return (
    DATABASE_CLASS.test(errorClass(error)) ||
    DATABASE_CLASS.test(String(name)) ||
    (typeof code === 'string' && DATABASE_CODE.test(code)) ||
    'sqlState' in error ||
    'sqlMessage' in error
  );
}
