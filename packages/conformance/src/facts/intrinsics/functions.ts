import { native, one } from '../values/make.js';
import type { FunctionValue, NativeFunction, Value } from '../values/value.js';
import { alternativeKey } from '../values/keys.js';
import { fixedElements } from '../interpret/call-expressions.js';
import type { Machine } from '../interpret/machine.js';
import { UNDEFINED } from '../values/make.js';

/** `bind`, `call` and `apply`. */
export function functionMethod(
  machine: Machine,
  of: FunctionValue | NativeFunction,
  name: string,
): Value | null {
  const key = `${name} ${alternativeKey(of)}`;
  switch (name) {
    case 'bind':
      return native(key, (site) => {
        const [self, ...bound] = site.args;
        return of.kind === 'native'
          ? one(of)
          : one({ ...of, self: of.self ?? self ?? UNDEFINED, bound: [...of.bound, ...bound] });
      });
    case 'call':
      return native(key, (site) => {
        const [self, ...args] = site.args;
        return machine.call({ ...site, callee: one(of), self: self ?? UNDEFINED, args });
      });
    case 'apply':
      return native(key, (site) => {
        const [self, list] = site.args;
        const known = list === undefined ? [] : fixedElements(machine, list, site.at);
        return machine.call({
          ...site,
          callee: one(of),
          self: self ?? UNDEFINED,
          args: known ?? [],
          spread: known === null && list !== undefined ? machine.elementsOf(list, site.at, site.node) : null,
        });
      });
    default:
      return null;
  }
}
