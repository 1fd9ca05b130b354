import { describe, expect, it } from 'vitest';

import { constant, UNKNOWN } from '../model/abstract-value.js';
import { classifyOpenFlag } from './open-flag.js';

const open = (flag: string | number | undefined, defaultFlag = 'r') =>
  classifyOpenFlag(constant(flag), '1', defaultFlag);

describe('classifyOpenFlag', () => {
  it.each(['r', 'rs', 0])('reads with %s', (flag) => {
    expect(open(flag)).toMatchObject({ effect: 'none', kind: 'read' });
  });

  it.each([
    ['w', 'set', 'yes'],
    ['w+', 'set', 'yes'],
    ['wx', 'ensure', 'yes'],
    ['r+', 'set', 'yes'],
    ['a', 'append', 'no'],
    ['ax+', 'append', 'no'],
    [1, 'set', 'unknown'],
    [2, 'set', 'unknown'],
  ] as const)('writes with %s', (flag, kind, converges) => {
    expect(open(flag)).toMatchObject({ effect: 'local', kind, converges, certainty: 'always' });
  });

  it('falls back on the default when no flag is given', () => {
    expect(open(undefined, 'w')).toMatchObject({ effect: 'local', kind: 'set' });
    expect(open(undefined, 'a')).toMatchObject({ kind: 'append' });
    expect(open(undefined, 'r')).toMatchObject({ effect: 'none' });
  });

  it('is undecided when the flag is not known, and names the tool argument', () => {
    expect(classifyOpenFlag(UNKNOWN, '1', 'r')).toMatchObject({ effect: 'local', certainty: 'undecided' });
    expect(classifyOpenFlag({ kind: 'input', path: 'mode' }, '1', 'r')).toMatchObject({
      condition: { input: 'mode' },
    });
  });

  it('writes all the same when the function takes no reading flag', () => {
    expect(classifyOpenFlag(UNKNOWN, '2.flag', 'w')).toMatchObject({
      effect: 'local',
      certainty: 'always',
      converges: 'unknown',
    });
  });

  it('can not say what a flag does that Node does not have', () => {
    expect(open('q')).toMatchObject({ effect: 'unknown' });
  });
});
