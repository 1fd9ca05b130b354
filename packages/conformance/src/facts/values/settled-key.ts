import { alternativeKey, numberOf } from './keys.js';
import type { Alternative, Value } from './value.js';

const DEEPEST = 4;

/**
 * A key that is the same for what one piece of code makes in two rounds of a recursion, where each
 * round gives its values identities of their own.
 */
export function settledKey(value: Value, depth = 0): string {
  return value.alternatives
    .map((one) => describe(one, depth))
    .sort()
    .filter((key, index, keys) => key !== keys[index - 1])
    .join(';');
}

function describe(one: Alternative, depth: number): string {
  const inner = (value: Value): string => (depth >= DEEPEST ? '' : settledKey(value, depth + 1));
  switch (one.kind) {
    case 'result':
      return `R${String(one.form)}:${String(numberOf(one.place))}:${inner(one.target)}`;
    case 'target':
      return `T${String(numberOf(one.place))}:${inner(one.uid)}`;
    case 'opaque':
      return `Q${String(one.origin)}:${one.unknown}:${one.type === null ? '' : String(numberOf(one.type))}`;
    case 'object': {
      const names = [...one.properties].map(([name, value]) => `${name}=${inner(value)}`);
      return `O${String(numberOf(one.place))}:{${names.join(',')}}${one.others === null ? '' : inner(one.others)}`;
    }
    case 'function':
      return `F${String(numberOf(one.node))}`;
    case 'class':
      return `C${String(numberOf(one.node))}`;
    case 'promise':
      return `P${inner(one.value)}`;
    default:
      return alternativeKey(one);
  }
}
