import { cutLine, printableLine } from '../failure/printable-line.js';
import { errorClass } from '../failure/thrown-value.js';
import { WriteTarget } from '../target/write-target.js';
import { ContentWriteError, ReadBackError, WriteLostError } from './content-errors.js';
import { takeMark } from './history-mark.js';
import type { ContentWrite, RawContentHandler } from './raw-content-handler.js';
import {
  isCommitted,
  isRecordOf,
  landedTargets,
  ownTarget,
  placeOf,
  type WriteSetting,
} from './write-setting.js';

/** How the content system ended its write. */
export type Attempt =
  { readonly ok: true; readonly answer: unknown } | { readonly ok: false; readonly error: unknown };

/**
 * Reads back a write that the system answered, or that failed after its writes, and records it as
 * landed with its history mark.
 */
export async function concludeWrite(
  raw: RawContentHandler,
  setting: WriteSetting,
  attempt: Attempt,
  isNested: boolean,
): Promise<WriteTarget> {
  const target = await concludedTarget(raw, setting, attempt);
  const isCertain = await isCommittedSafely(raw);
  // A nested run answers inside the outer one's transaction; an outermost run has nobody left to commit it.
  if (!isCertain && !isNested) {
    throw await failedWrite(
      raw,
      setting,
      attempt.ok ? undefined : attempt.error,
      'its transaction is still open',
    );
  }
  if (!(await holds(raw, setting, attempt, target))) {
    throw attempt.ok ? lost(setting.operation, target) : await failedWrite(raw, setting, attempt.error);
  }
  if (isCertain) {
    await land(setting, target);
  }
  return target;
}

async function concludedTarget(
  raw: RawContentHandler,
  setting: WriteSetting,
  attempt: Attempt,
): Promise<WriteTarget> {
  if (!attempt.ok) {
    const own = ownTarget(raw, setting.operation);
    if (own === null) {
      throw await failedWrite(raw, setting, attempt.error);
    }
    return own;
  }
  const { answer } = attempt;
  if (!WriteTarget.is(answer) || !isRecordOf(setting.operation, answer)) {
    const found = WriteTarget.is(answer) ? 'another record' : `no WriteTarget (${errorClass(answer)})`;
    throw await failedWrite(raw, setting, undefined, `its raw content handler answered with ${found}`);
  }
  return answer;
}

/** Whether the stored state shows the write. Rejects when it cannot be read. */
async function holds(
  raw: RawContentHandler,
  setting: WriteSetting,
  attempt: Attempt,
  target: WriteTarget,
): Promise<boolean> {
  try {
    return await isShown(raw, setting.operation, target);
  } catch (cause) {
    setting.log.failure('a content write could not be read back', cause, placeOf(setting));
    if (!(await isReportedStored(raw, target))) {
      const failure = attempt.ok ? cause : attempt.error;
      throw await failedWrite(raw, setting, failure, 'it could not be read back');
    }
    // The system's own word stands: the record is there, and only the proof of it is missing.
    setting.ledger.land(target);
    throw new ReadBackError(
      `Cannot read back ${nameOf(target)}: the content system reported the ${setting.operation.kind} as stored, ` +
        `and reading it failed (${errorClass(cause)}). Read the record before anything is written again.`,
      target,
      { cause },
    );
  }
}

async function isShown(
  raw: RawContentHandler,
  operation: ContentWrite,
  target: WriteTarget,
): Promise<boolean> {
  if (raw.confirms !== undefined) {
    return (await raw.confirms(operation, target)) === true;
  }
  const found = (await raw.read(target, operation.options)) as
    Awaited<ReturnType<typeof raw.read>> | undefined;
  const record = found ?? null;
  return operation.kind === 'delete' ? record === null : record?.target.equals(target) === true;
}

async function isReportedStored(raw: RawContentHandler, target: WriteTarget): Promise<boolean> {
  try {
    return (await isCommitted(raw)) && landedTargets(raw).some((stored) => stored.equals(target));
  } catch {
    return false;
  }
}

async function isCommittedSafely(raw: RawContentHandler): Promise<boolean> {
  try {
    return await isCommitted(raw);
  } catch {
    return false;
  }
}

async function land(setting: WriteSetting, target: WriteTarget): Promise<void> {
  // Recorded before the mark is taken: a history that hangs must not hide the write.
  const setMark = setting.ledger.land(target);
  if (setting.signal.aborted) {
    setting.log.warning('a content write landed after its call had ended', {
      ...placeOf(setting),
      uid: target.uid,
    });
  }
  const mark = await takeMark(target, setting);
  if (mark !== null) {
    setMark(mark);
  }
}

/** The error of a failure during the writes, with the records that are known to be stored all the same. */
export async function failedWrite(
  raw: RawContentHandler,
  setting: WriteSetting,
  cause: unknown,
  why?: string,
): Promise<ContentWriteError> {
  const landed = await knownLanded(raw, setting);
  const reason = why ?? `the content system failed (${errorClass(cause)})`;
  const { operation } = setting;
  const place = operation.kind === 'create' ? `in ${shown(operation.table)}` : nameOf(operation.target);
  setting.log.failure('a content write failed', cause, {
    ...placeOf(setting),
    reason,
    landed: landed.map(({ table, uid }) => ({ table, uid })),
  });
  const known = landed.length === 0 ? '' : `Known to be stored: ${namesOf(landed)}. `;
  return new ContentWriteError(
    `Cannot tell what the ${operation.kind} ${place} has stored: ${reason}. ${known}` +
      'Read the record before anything is written again.',
    landed,
    { cause },
  );
}

async function knownLanded(raw: RawContentHandler, setting: WriteSetting): Promise<readonly WriteTarget[]> {
  const known: WriteTarget[] = [];
  try {
    if (!(await isCommitted(raw))) {
      return [];
    }
    for (const target of landedTargets(raw)) {
      const isNew = !known.some((other) => other.equals(target));
      if (isNew && !(await isContradicted(raw, setting.operation, target))) {
        known.push(target);
      }
    }
  } catch (error) {
    setting.log.failure('raw content handler could not say what landed', error, placeOf(setting));
  }
  return known;
}

// A binding may count a record as stored that a rollback took back.
async function isContradicted(
  raw: RawContentHandler,
  operation: ContentWrite,
  target: WriteTarget,
): Promise<boolean> {
  if (!isRecordOf(operation, target)) {
    return false;
  }
  try {
    return !(await isShown(raw, operation, target));
  } catch {
    return false;
  }
}

function lost(operation: ContentWrite, target: WriteTarget): WriteLostError {
  const found = operation.kind === 'delete' ? 'is still there' : 'is not there as it was written';
  return new WriteLostError(
    `Cannot confirm the ${operation.kind} of ${nameOf(target)}: the content system answered that it was done, ` +
      `and the record ${found}. Read the record before anything is written again.`,
    target,
  );
}

const MAX_NAMED = 3;

function namesOf(targets: readonly WriteTarget[]): string {
  const rest = targets.length - MAX_NAMED;
  return targets.slice(0, MAX_NAMED).map(nameOf).join(', ') + (rest > 0 ? ` and ${String(rest)} more` : '');
}

function nameOf(target: WriteTarget): string {
  return shown(`${target.table}:${String(target.uid)}`);
}

function shown(name: string): string {
  return cutLine(printableLine(name), 120);
}
