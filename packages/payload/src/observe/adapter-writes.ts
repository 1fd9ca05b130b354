import { currentContentRun } from '@toolwright/sdk';
import type { DatabaseAdapter, PayloadRequest } from 'payload';
import { PayloadBindingError } from '../errors.js';
import { recordOf, type RunRecord, type StoredPart } from './run-record.js';

type TransactionId = string | number;
type Described = Omit<StoredPart, 'transactionId'>;

/** Which record a call of the adapter writes, before it is known whether it does. */
interface Subject {
  readonly kind: 'collection' | 'global';
  readonly slug: string;
  readonly uid: string | number | undefined;
}

interface WatchedMethod<Args, Answer> {
  readonly subject: (args: Args) => Subject;
  readonly part: (args: Args, answer: Answer) => Described | null;
}

type MethodName =
  | 'create'
  | 'updateOne'
  | 'deleteOne'
  | 'createVersion'
  | 'updateVersion'
  | 'createGlobal'
  | 'updateGlobal'
  | 'createGlobalVersion'
  | 'updateGlobalVersion';
type ArgsOf<Name extends MethodName> = Parameters<DatabaseAdapter[Name]>[0];
type AnyArgs = ArgsOf<MethodName>;
type AnswerOf = Readonly<Record<string, unknown>> | null | undefined;

const collection = (slug: string, uid?: string | number): Subject => ({ kind: 'collection', slug, uid });
const global = (slug: string): Subject => ({ kind: 'global', slug, uid: undefined });

// The writes of which Payload's operations consist. Nothing else knows what landed: a hook may write too,
// and an operation may fail with its record stored.
const WATCHED: { readonly [Name in MethodName]: WatchedMethod<ArgsOf<Name>, AnswerOf> } = {
  create: {
    subject: (args) => collection(args.collection),
    part: (_args, answer) => rowPart('row', idOf(answer), answer),
  },
  updateOne: {
    subject: (args) => collection(args.collection, args.id),
    part: (args, answer) => rowPart('row', args.id ?? idOf(answer), answer, args.data),
  },
  deleteOne: {
    subject: (args) => collection(args.collection),
    part: (_args, answer) => rowPart('deletion', idOf(answer), answer),
  },
  createVersion: {
    subject: (args) => collection(args.collectionSlug, args.parent),
    part: (args, answer) =>
      // A snapshot is a second version, of what other locales keep as their draft.
      args.snapshot === true ? null : versionPart(args.parent, idOf(answer)),
  },
  updateVersion: {
    subject: (args) => collection(args.collection, args.versionData.parent),
    part: (args, answer) => {
      const uid = args.versionData.parent;
      return uid === undefined ? null : versionPart(uid, args.id ?? idOf(answer));
    },
  },
  createGlobal: {
    subject: (args) => global(args.slug),
    part: (args) => ({ kind: 'row', uid: args.slug }),
  },
  updateGlobal: {
    subject: (args) => global(args.slug),
    part: (args) => ({ kind: 'row', uid: args.slug, ...stampOf(args.data) }),
  },
  createGlobalVersion: {
    subject: (args) => global(args.globalSlug),
    part: (args, answer) => (args.snapshot === true ? null : versionPart(args.globalSlug, idOf(answer))),
  },
  updateGlobalVersion: {
    subject: (args) => global(args.global),
    part: (args, answer) => versionPart(args.global, args.id ?? idOf(answer)),
  },
};

/**
 * Watches the writes of an adapter: those that a run makes itself go into its record, everything else
 * passes as it was.
 *
 * @throws PayloadBindingError with code `UNSUPPORTED_PAYLOAD` when the adapter lacks one of the methods
 */
export function watchAdapter(db: DatabaseAdapter): void {
  const inTransaction = new Map<TransactionId, Set<RunRecord>>();
  for (const name of Object.keys(WATCHED) as MethodName[]) {
    watchMethod(db, name, inTransaction);
  }
  watchEnd(db, 'commitTransaction', (id) => {
    inTransaction.delete(id);
  });
  watchEnd(db, 'rollbackTransaction', (id) => {
    inTransaction.get(id)?.forEach((record) => {
      record.rolledBack(id);
    });
    inTransaction.delete(id);
  });
}

function watchMethod(
  db: DatabaseAdapter,
  name: MethodName,
  inTransaction: Map<TransactionId, Set<RunRecord>>,
): void {
  const original = methodOf(db, name) as (args: AnyArgs) => Promise<AnswerOf>;
  const { subject, part } = WATCHED[name] as WatchedMethod<AnyArgs, AnswerOf>;
  const watched = async (args: AnyArgs): Promise<AnswerOf> => {
    const record = ownRecord(() => subject(args));
    if (record === null) {
      return original.call(db, args);
    }
    const transactionId = await openTransactionOf(db, args.req);
    if (transactionId !== null) {
      inTransaction.set(transactionId, (inTransaction.get(transactionId) ?? new Set()).add(record));
    }
    try {
      const answer = await original.call(db, args);
      const described = part(args, answer);
      if (described !== null) {
        record.stored({ ...described, transactionId });
      }
      if (args.req !== undefined) {
        record.learned({ req: args.req as PayloadRequest });
      }
      return answer;
    } catch (error) {
      record.failedToStore();
      throw error;
    }
  };
  Object.assign(db, { [name]: watched });
}

/** The record of the current run, when the write is its own and about its record: hooks run deeper. */
function ownRecord(subjectOf: () => Subject): RunRecord | null {
  const run = currentContentRun();
  const record = run === undefined || run.depth > 0 ? undefined : recordOf(run);
  if (record === undefined) {
    return null;
  }
  const { kind, slug, uid } = subjectOf();
  return record.isAbout(kind, slug, uid) ? record : null;
}

function watchEnd(
  db: DatabaseAdapter,
  name: 'commitTransaction' | 'rollbackTransaction',
  ended: (id: TransactionId) => void,
): void {
  const original = methodOf(db, name);
  const watched = async (incoming: TransactionId | Promise<TransactionId>): Promise<void> => {
    const id = await incoming;
    // A transaction that has ended is asked to end again, and that changes nothing.
    const isOpen = db.sessions?.[id] !== undefined;
    await original.call(db, incoming);
    if (isOpen) {
      ended(id);
    }
  };
  Object.assign(db, { [name]: watched });
}

function methodOf<Name extends keyof DatabaseAdapter>(
  db: DatabaseAdapter,
  name: Name,
): DatabaseAdapter[Name] {
  const method: unknown = db[name];
  if (typeof method !== 'function') {
    throw new PayloadBindingError(
      'UNSUPPORTED_PAYLOAD',
      `Cannot watch the database of Payload: expected its adapter to have a method ${name}, found ${typeof method}. ` +
        'Use the versions of payload and of its adapter that this package names as its peers.',
    );
  }
  return db[name];
}

/**
 * The transaction that a request writes in, or null. `transactionID` alone misleads: without transactions it
 * is a promise of nothing, so the adapter's open sessions decide.
 */
async function openTransactionOf(
  db: DatabaseAdapter,
  req: Partial<PayloadRequest> | undefined,
): Promise<TransactionId | null> {
  const id: unknown = await req?.transactionID;
  return (typeof id === 'string' || typeof id === 'number') && db.sessions?.[id] !== undefined ? id : null;
}

// An adapter answers nothing where it found no row to write.
function rowPart(
  kind: 'row' | 'deletion',
  uid: string | number | undefined,
  answer: AnswerOf,
  data?: AnswerOf,
): Described | null {
  return uid === undefined || !answer ? null : { kind, uid, stored: answer, ...stampOf(data) };
}

function versionPart(uid: string | number, versionId: string | number | undefined): Described {
  return { kind: 'version', uid, ...(versionId === undefined ? {} : { versionId }) };
}

function idOf(answer: AnswerOf): string | number | undefined {
  const id = answer?.['id'];
  return typeof id === 'string' || typeof id === 'number' ? id : undefined;
}

function stampOf(data: AnswerOf): { readonly updatedAt?: string } {
  const updatedAt = data?.['updatedAt'];
  return typeof updatedAt === 'string' ? { updatedAt } : {};
}
