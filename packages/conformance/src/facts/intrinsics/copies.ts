import { join, referencesIn } from '../values/join.js';
import { UNDEFINED, one, unknownValue } from '../values/make.js';
import { WHOLE, reference } from '../values/references.js';
import type { Alternative, CallSite, ObjectValue, Value } from '../values/value.js';
import type { Machine } from '../interpret/machine.js';
import { propertiesToSpread } from '../interpret/object-literals.js';
import { RESULT, TARGET, type PreservedType } from '../queries/preserved-types.js';
import type { Intrinsic } from './intrinsic.js';

/** A copy of everything that can be cloned. */
export const structuredCloneOf: Intrinsic = (machine, site) =>
  join(
    ...(site.args[0] ?? UNDEFINED).alternatives.map((alternative): Value => {
      if (!isCloned(alternative)) {
        return one(alternative);
      }
      const { properties, others } = propertiesToSpread(machine, one(alternative), site.at, site.node);
      return copied(machine, site, alternative, { properties, others });
    }),
  );

/** Whether a copy has fields of its own: collections are taken as they are, and of other values no field is known. */
function isCloned(of: Alternative): boolean {
  return of.kind === 'object' ? of.collection === null : preservedTypeOf(of) !== null;
}

export function copied(
  machine: Machine,
  site: CallSite,
  of: Alternative,
  parts: Pick<ObjectValue, 'properties' | 'others'> & Partial<Pick<ObjectValue, 'references'>>,
): Value {
  const preserved = preservedTypeOf(of);
  const object = machine.newObject(site.node, site.at, { ...parts, preserved: null });
  const made: ObjectValue = { ...object, when: of.when };
  if (preserved !== null) {
    machine.observer.objectMade(made, preserved, site.at);
  }
  return one(made);
}

export function preservedTypeOf(of: Alternative): PreservedType | null {
  switch (of.kind) {
    case 'result':
      return RESULT;
    case 'target':
      return TARGET;
    case 'opaque':
    case 'object':
      return of.preserved;
    default:
      return null;
  }
}

/** Of what goes through a function of one's own, only that it came from here is known. */
export function throughFilter(machine: Machine, site: CallSite, of: Alternative, why: string): Value {
  const preserved = preservedTypeOf(of);
  if (preserved === null || !('id' in of)) {
    return unknownValue(why, site.node, referencesIn(one(of)));
  }
  const { properties } = propertiesToSpread(machine, one(of), site.at, site.node);
  const open = new Map([...properties.keys()].map((name) => [name, unknownValue(why, site.node)]));
  const references = new Set([reference(of.id, WHOLE)]);
  return copied(machine, site, of, { properties: open, others: null, references });
}
