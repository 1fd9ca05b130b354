import { fixedElements } from '../interpret/call-expressions.js';
import type { Machine } from '../interpret/machine.js';
import { textOf } from '../interpret/texts.js';
import { map } from '../values/join.js';
import { valueKey } from '../values/keys.js';
import { literal, native } from '../values/make.js';
import type { CallSite, Value } from '../values/value.js';
import { derivedFrom } from './derive.js';

/** `join` of a list: the text of one whose elements are known says what they say. */
export function joinMethod(machine: Machine, self: Value): Value {
  return native(`join ${valueKey(self)}`, (site) => joined(machine, self, site));
}

function joined(machine: Machine, self: Value, site: CallSite): Value {
  const text = derivedFrom(self, site);
  const elements = fixedElements(machine, self, site.at);
  const between = site.args[0] ?? literal(',');
  return elements === null
    ? text
    : map(text, (inner) =>
        inner.kind === 'opaque'
          ? {
              ...inner,
              text: textOf(elements.flatMap((one, index) => (index === 0 ? [one] : [between, one]))),
            }
          : inner,
      );
}
