import { join, referencesIn } from '../values/join.js';
import { native, opaque } from '../values/make.js';
import { NO_REFERENCES, union } from '../values/references.js';
import { FROM_CALL, type CallSite, type OpaqueValue, type Value } from '../values/value.js';
import { originsOf } from '../interpret/operators.js';
import { wholes } from '../interpret/calls.js';

/**
 * A member of data (a text's `trim`, a list's `join`): read or called, it gives data that derives from
 * the data and from the arguments.
 */
export function derived(from: Value, name: string): Value {
  const member = native(`derive ${name}`, (site) => derivedFrom(from, site));
  const references = referencesIn(from);
  const { origin, description } = originsOf([from]);
  return name === 'length' || name === 'size'
    ? opaque({ origin, description, references })
    : withData(member, references);
}

function withData(member: Value, references: ReturnType<typeof referencesIn>): Value {
  return { alternatives: member.alternatives.map((one) => ({ ...one, references })) };
}

export function derivedFrom(from: Value, site: CallSite): Value {
  const given = [from, ...site.args, ...(site.spread === null ? [] : [site.spread])];
  const references = given.reduce(
    (all, value) => union(all, union(referencesIn(value), wholes(value))),
    NO_REFERENCES,
  );
  const origins = originsOf(given);
  noteDerived(site, given, origins.origin);
  return opaque({ ...origins, references, place: site.node, text: sumIn(given) });
}

/** A number that counts on does so when it is rounded, or written as a text. */
export function sumIn(given: readonly Value[]): OpaqueValue['text'] {
  for (const { alternatives } of given) {
    const [only, ...more] = alternatives;
    if (only?.kind === 'opaque' && more.length === 0 && only.text?.kind === 'sum') {
      return only.text;
    }
  }
  return null;
}

/** What is made of a call's answer is still about that call. */
export function noteDerived({ node, at }: CallSite, from: readonly Value[], origin: number): void {
  if ((origin & FROM_CALL) !== 0) {
    at.frame.effects.derived.set(node, from);
  }
}

export function allOf(site: CallSite): Value {
  return join(...site.args, ...(site.spread === null ? [] : [site.spread]));
}
