import type { AbstractValue } from '@toolwright/catalogue';
import { FROM_CALL, type Point, type Value } from '../values/value.js';
import type { Machine } from '../interpret/machine.js';

// Values that are others when a call is repeated with the same arguments.

const RANDOM: Readonly<Record<string, RegExp>> = {
  globalThis:
    /^(?:Math\.random|Date\.now|crypto\.randomUUID|crypto\.getRandomValues|performance\.now|Date)$/u,
  crypto: /^(?:default\.)?(?:webcrypto\.)?(?:randomUUID|randomBytes|randomInt|getRandomValues)$/u,
  uuid: /^(?:default\.)?v[1467]$|^default$/u,
  nanoid: /./u,
  'nanoid/non-secure': /./u,
  ulid: /./u,
  ulidx: /./u,
  cuid: /./u,
  '@paralleldrive/cuid2': /./u,
  ksuid: /./u,
};

/** Whether a key is made of chance or time, so that it is new every time. */
export function isNewEveryTime(key: AbstractValue, depth = 0): boolean {
  if (depth > 6) {
    return false;
  }
  switch (key.kind) {
    case 'made': {
      const path = key.path.filter((step) => step !== '()' && step !== 'new()').join('.');
      const isClock = key.module === 'globalThis' && path === 'Date' && key.arguments.length > 0;
      const isRandom = RANDOM[key.module.replace(/^node:/u, '')]?.test(path) === true && !isClock;
      return isRandom || key.arguments.some((one) => isNewEveryTime(one, depth + 1));
    }
    case 'template':
      return key.parts.some((part) => isNewEveryTime(part, depth + 1));
    case 'one-of':
      return key.values.every((one) => isNewEveryTime(one, depth + 1));
    default:
      return false;
  }
}

/** Whether data has a number in it that counts on from one that was read: `count: page.count + 1`. */
export function countsOn(machine: Machine, data: Value, at: Point, depth = 0): boolean {
  return data.alternatives.some((one) => {
    if (one.kind === 'opaque') {
      const { text } = one;
      if (text?.kind === 'json' && depth < 3) {
        return countsOn(machine, text.value, at, depth + 1);
      }
      return text?.kind === 'sum' && (one.origin & FROM_CALL) !== 0;
    }
    return (
      one.kind === 'object' &&
      depth < 3 &&
      [...machine.propertiesOf(one, at).values()].some((value) => countsOn(machine, value, at, depth + 1))
    );
  });
}
