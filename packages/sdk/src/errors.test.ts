import { describe, expect, it } from 'vitest';
import { ContentWriteError, ReadBackError, WriteLostError } from './content/content-errors.js';
import { SdkError } from './errors.js';
import { WriteTarget } from './target/write-target.js';

const target = WriteTarget.of('pages', 1);
const cause = new Error('x');

describe('the errors of the package', () => {
  it.each<[string, SdkError, string]>([
    ['SdkError', new SdkError('INVALID_OPTIONS', 'm', { cause }), 'INVALID_OPTIONS'],
    ['ContentWriteError', new ContentWriteError('m', [target], { cause }), 'CONTENT_WRITE_FAILED'],
    ['WriteLostError', new WriteLostError('m', target), 'WRITE_LOST'],
    ['ReadBackError', new ReadBackError('m', target, { cause }), 'READ_BACK_FAILED'],
  ])('have one base, a name and a stable code: %s', (name, error, code) => {
    expect(error).toBeInstanceOf(SdkError);
    expect(error).toBeInstanceOf(Error);
    expect(error).toMatchObject({ name, code, message: 'm' });
    expect(error.constructor.name).toBe(name);
    expect(error.cause).toBe(name === 'WriteLostError' ? undefined : cause);
  });

  it('have no cause when there is none', () => {
    expect('cause' in new SdkError('INVALID_OPTIONS', 'm')).toBe(false);
  });

  it('keep the landed records from being changed afterwards', () => {
    const landed = [target];
    const error = new ContentWriteError('m', landed);
    landed.push(target);
    expect(error.landed).toEqual([target]);
    expect(Object.isFrozen(error.landed)).toBe(true);
  });
});
