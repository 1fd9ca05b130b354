import type { WriteTarget } from '../target/write-target.js';
import { placeOf, type WriteSetting } from './write-setting.js';

/** Most bytes (UTF-8) of a history mark. */
export const MAX_MARK_BYTES = 4096;

/** The history's mark of a landed write; null without a history, and where the history fails: the write stands. */
export async function takeMark(target: WriteTarget, setting: WriteSetting): Promise<string | null> {
  const { history } = setting.ports;
  if (history === null) {
    return null;
  }
  const place = { ...placeOf(setting), uid: target.uid };
  let mark: unknown;
  try {
    mark = await history.mark(target, setting.operation);
  } catch (error) {
    setting.log.failure('the content history could not mark a write', error, place);
    return null;
  }
  if (mark === null) {
    return null;
  }
  const bytes = typeof mark === 'string' ? Buffer.byteLength(mark, 'utf8') : null;
  if (typeof mark !== 'string' || bytes === null || bytes > MAX_MARK_BYTES) {
    const found = bytes === null ? typeof mark : `${String(bytes)} bytes`;
    setting.log.warning('the content history gave an unusable mark', {
      ...place,
      expected: `a string of at most ${String(MAX_MARK_BYTES)} bytes, or null`,
      found,
    });
    return null;
  }
  return mark;
}
