import { native, one } from '../values/make.js';
import type { CallSite, FunctionValue, NativeFunction, Value } from '../values/value.js';
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
          ? methodOn(machine, of, self ?? UNDEFINED, site)
          : one({ ...of, self: of.self ?? self ?? UNDEFINED, bound: [...of.bound, ...bound] });
      });
    case 'call':
      return native(key, (site) => {
        const [self = UNDEFINED, ...args] = site.args;
        return machine.call({ ...site, callee: methodOn(machine, of, self, site), self, args });
      });
    case 'apply':
      return native(key, (site) => {
        const [self = UNDEFINED, list] = site.args;
        const known = list === undefined ? [] : fixedElements(machine, list, site.at);
        return machine.call({
          ...site,
          callee: methodOn(machine, of, self, site),
          self,
          args: known ?? [],
          spread: known === null && list !== undefined ? machine.elementsOf(list, site.at, site.node) : null,
        });
      });
    default:
      return null;
  }
}

/** A library's method, on what it is called on. */
function methodOn(machine: Machine, of: FunctionValue | NativeFunction, self: Value, site: CallSite): Value {
  if (of.kind !== 'native' || of.method === null) {
    return one(of);
  }
  const isList = self.alternatives.some((one) => one.kind === 'object' && one.collection !== null);
  return isList ? machine.readProperty(self, of.method, site.at, site.node) : one(of);
}
