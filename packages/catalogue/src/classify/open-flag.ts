import { alternativesOf, inputOf, isAbsent, textOf, type AbstractValue } from '../model/abstract-value.js';
import {
  cannotSay,
  dependsOn,
  joinAlternatives,
  labelOf,
  reads,
  writes,
  type Alternative,
  type Judgement,
} from './judgement.js';

/** What opening a file with a flag of Node's file system does. https://nodejs.org/api/fs.html#file-system-flags */
export function classifyOpenFlag(flag: AbstractValue, place: string, defaultFlag: string): Judgement {
  const known: Alternative[] = [];
  for (const alternative of alternativesOf(flag)) {
    const text = isAbsent(alternative) ? defaultFlag : textOf(alternative);
    const judgement = text === null ? judgeNumber(alternative) : judgeFlag(text);
    if (judgement === null && defaultFlag !== 'r') {
      // Every flag that these functions take writes; which of them is not known.
      return writes('local', 'write', 'it writes a file');
    }
    if (judgement === null) {
      return dependsOn(
        flag,
        place,
        writes('local', 'set', 'the file is opened for writing'),
        'opens for writing',
        {
          writesWhen: ['w', 'a', 'r+'],
          readsWhen: ['r'],
        },
      );
    }
    known.push({ label: labelOf(alternative), judgement });
  }
  return joinAlternatives(known, place, inputOf(flag));
}

function judgeFlag(flag: string): Judgement {
  const [mode = ''] = flag;
  const isUpdating = flag.includes('+');
  if (mode === 'r') {
    return isUpdating
      ? writes('local', 'set', `the flag ${flag} opens for writing`)
      : reads('local', 'read', `the flag ${flag} opens for reading`);
  }
  if (mode === 'a') return writes('local', 'append', `the flag ${flag} appends`);
  // With `x` the second time fails, so the file stays as it is.
  if (mode === 'w') return writes('local', flag.includes('x') ? 'ensure' : 'set', `the flag ${flag} writes`);
  return cannotSay('local', `the flag ${flag.slice(0, 20)} is not known`);
}

const O_WRONLY = 1;
const O_RDWR = 2;

/** Numeric flags: the two lowest bits are the access mode on every platform that Node runs on. */
function judgeNumber(flag: AbstractValue): Judgement | null {
  if (flag.kind === 'unknown' && /(?:^|\.)O_RDONLY$/.test(flag.name ?? '')) {
    return reads('local', 'read', 'the flags open for reading');
  }
  if (flag.kind !== 'constant' || typeof flag.value !== 'number') return null;
  const isWriting = (flag.value & (O_WRONLY | O_RDWR)) !== 0;
  return isWriting
    ? writes('local', 'set', 'the flags open for writing', { converges: 'unknown' })
    : reads('local', 'read', 'the flags open for reading');
}
