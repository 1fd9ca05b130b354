import { ts } from '../../../engine/typescript.mjs';
import { NO_GUARD } from '../values/guard.js';
import { join, map, referencesIn, deriving } from '../values/join.js';
import { NEVER, UNDEFINED, literal, one, opaque, unknownValue } from '../values/make.js';
import { NO_REFERENCES, reference, WHOLE, parseReference, type References } from '../values/references.js';
import type { Alternative, CallSite, ObjectValue, Value } from '../values/value.js';
import type { Machine } from '../interpret/machine.js';
import { readElement } from '../interpret/expressions.js';
import { coerceToJson } from '../interpret/implicit-calls.js';
import { keyText } from '../interpret/member-keys.js';
import { defineProperty, putProperty } from '../interpret/put-property.js';
import { fixedElements } from '../interpret/call-expressions.js';
import { functionsIn, runningCode } from '../interpret/touchy-values.js';
import { propertiesToSpread, spreadInto, type Parts } from '../interpret/object-literals.js';
import { derivedFrom, noteDerived } from './derive.js';
import { isUntracked } from '../values/untracked.js';
import { copied, preservedTypeOf, structuredCloneOf, throughFilter } from './copies.js';
import type { Intrinsic } from './intrinsic.js';
import { notePairs, pairOf, pairsOf } from './known-entries.js';

const defineOne: Intrinsic = (machine, site) => {
  const [of = UNDEFINED, key = UNDEFINED, descriptor = UNDEFINED] = site.args;
  defineProperty(machine, of, key, descriptor, site.at, site.node);
  return of;
};

const set: Intrinsic = (machine, site) => {
  const [of = UNDEFINED, key = UNDEFINED, value = UNDEFINED] = site.args;
  for (const alternative of key.alternatives) {
    const name = keyText(alternative);
    const isCertain = key.alternatives.length === 1 && name !== null;
    if (isCertain) {
      putProperty(machine, of, name, value, site.at, site.node);
    } else {
      machine.blur(of, value, site.at);
    }
  }
  return opaque({ description: 'whether it was set' });
};

const remove: Intrinsic = (machine, site) => {
  const [of = UNDEFINED, key = UNDEFINED] = site.args;
  for (const alternative of key.alternatives) {
    const name = keyText(alternative);
    if (name === null || key.alternatives.length > 1) {
      machine.blur(of, UNDEFINED, site.at);
    } else {
      machine.writeProperty(of, name, UNDEFINED, site.at);
    }
  }
  return opaque({ description: 'whether it was removed' });
};

/** `Object.setPrototypeOf(this, NotFound.prototype)` in the constructor of an error: it has that one already. */
function isOwnPrototype(node: ts.Node): boolean {
  const [of, prototype] = ts.isCallExpression(node) ? node.arguments : [];
  return (
    of?.kind === ts.SyntaxKind.ThisKeyword &&
    prototype !== undefined &&
    ts.isPropertyAccessExpression(prototype) &&
    prototype.name.text === 'prototype'
  );
}

/** Another prototype, or properties from what is not looked into: any member may be another one. */
const changesAnything: Intrinsic = (machine, site) => {
  const [of = UNDEFINED, ...given] = site.args;
  if (isOwnPrototype(site.node)) {
    return of;
  }
  const blurred = unknownValue('its members were changed by reflection', site.node);
  const descriptors = given.flatMap(({ alternatives }) =>
    alternatives.flatMap((one) =>
      one.kind === 'object' ? [...machine.propertiesOf(one, site.at).values()] : [],
    ),
  );
  const accessors = descriptors.flatMap((descriptor) => functionsIn(machine, descriptor, site.at));
  machine.blur(of, runningCode(machine, blurred, accessors, site.node), site.at);
  return of;
};

/** `Object.create(prototype, descriptors)`: what the prototype has, and what is described. */
const created: Intrinsic = (machine, site) => {
  const [prototype = UNDEFINED, descriptors] = site.args;
  const made = prototype.alternatives.map((alternative): Value => {
    if (alternative.kind === 'literal') {
      return one(machine.newObject(site.node, site.at, {}));
    }
    return alternative.kind === 'object' && alternative.collection === null
      ? one(
          machine.newObject(site.node, site.at, {
            properties: new Map(machine.propertiesOf(alternative, site.at)),
            others: machine.othersOf(alternative, site.at),
            accessors: alternative.accessors,
            of: alternative.of,
          }),
        )
      : unknownValue('what it has from its prototype is not followed', site.node, alternative.references);
  });
  const object = join(...made);
  for (const described of descriptors?.alternatives ?? []) {
    if (described.kind === 'object') {
      for (const [name, descriptor] of machine.propertiesOf(described, site.at)) {
        defineProperty(machine, object, literal(name), descriptor, site.at, site.node);
      }
    }
  }
  return object;
};

/** What a proxy does is decided by its handler, at any time; what it wraps may be changed through it. */
const newProxy: Intrinsic = (machine, site) => {
  const [of = UNDEFINED, handler = UNDEFINED] = site.args;
  const why = 'what a `Proxy` does is not followed';
  const traps = functionsIn(machine, handler, site.at);
  traps.forEach((trap) => machine.callBack(trap, site, null, { isKept: true }));
  machine.blur(of, unknownValue(why, site.node), site.at);
  return runningCode(machine, unknownValue(why, site.node, referencesIn(of)), traps, site.node);
};

const evaluated: Intrinsic = (machine, site) => {
  const why = '`eval` runs code that is not in the source';
  machine.giveUp(why, site.at);
  return unknownValue(why, site.node);
};

const get: Intrinsic = (machine, site) => {
  const [of = UNDEFINED, key = UNDEFINED] = site.args;
  return readElement(machine, of, key, site.at, site.node);
};

const constructed: Intrinsic = (machine, site) => {
  const [callee = UNDEFINED, list] = site.args;
  const known = list === undefined ? [] : fixedElements(machine, list, site.at);
  return machine.construct({
    ...site,
    callee,
    args: known ?? [],
    spread: known === null && list !== undefined ? machine.elementsOf(list, site.at, site.node) : null,
  });
};

const handsThrough: Intrinsic = (_machine, site) => site.args[0] ?? UNDEFINED;

/** `Object.assign(target, …sources)`: the target, with what the sources have. */
const assign: Intrinsic = (machine, site) => {
  const [target, ...sources] = site.args;
  if (target === undefined) {
    return UNDEFINED;
  }
  return join(
    ...target.alternatives.map((alternative): Value => {
      const parts: Parts = { properties: new Map(), others: null };
      spreadInto(machine, parts, { alternatives: [alternative] }, site.at, site.node);
      for (const source of [...sources, ...(site.spread === null ? [] : [site.spread])]) {
        spreadInto(machine, parts, source, site.at, site.node);
      }
      if (alternative.kind !== 'object') {
        return one({ ...machine.newObject(site.node, site.at, parts), when: alternative.when });
      }
      const only: Value = { alternatives: [alternative] };
      const before = machine.propertiesOf(alternative, site.at);
      for (const [name, value] of parts.properties) {
        if (before.get(name) !== value) {
          putProperty(machine, only, name, value, site.at, site.node);
        }
      }
      if (parts.others !== null) {
        machine.writeProperty(only, null, parts.others, site.at);
      }
      return one({ ...alternative, properties: parts.properties, others: parts.others });
    }),
  );
};

/** Text that a later `JSON.parse` makes the value of again. */
const stringify: Intrinsic = (machine, site) => {
  const given = site.args[0] ?? UNDEFINED;
  const decides = coerceToJson(machine, given, site.at, site.node);
  const text = derivedFrom(given, site);
  const isFiltered = callFilter(machine, site) || decides;
  const written: Value = isFiltered ? { alternatives: given.alternatives } : given;
  if (isFiltered) {
    FILTERED.add(written);
  }
  return map(text, (inner) =>
    inner.kind === 'opaque'
      ? { ...inner, receiver: written, text: { kind: 'json' as const, value: written } }
      : inner,
  );
};

/** What was written where code of one's own decided what goes along. */
const FILTERED = new WeakSet<Value>();

/** A function that is given beside a value decides what becomes of each part of it. */
function callFilter(machine: Machine, site: CallSite): boolean {
  const filter = site.args[1]?.alternatives.filter(({ kind }) => kind !== 'literal') ?? [];
  for (const callback of filter) {
    if (callback.kind === 'function') {
      machine.callBack(callback, site, null);
    }
  }
  return filter.length > 0;
}

const parse: Intrinsic = (machine, site) => {
  const [text] = site.args;
  const isRevived = callFilter(machine, site);
  const written = text?.alternatives.flatMap((one) =>
    one.kind === 'opaque' && one.receiver !== null ? [one.receiver] : [],
  );
  const [value] = written ?? [];
  if (value === undefined || text === undefined) {
    const origin = originOfText(text);
    noteDerived(site, text === undefined ? [] : [text], origin);
    return opaque({
      unknown: 'parsed JSON can be anything',
      description: 'parsed JSON',
      origin,
      place: site.node,
      references: text === undefined ? new Set() : referencesIn(text),
    });
  }
  const isFiltered = isRevived || FILTERED.has(value);
  return join(
    ...value.alternatives.map((alternative) =>
      isFiltered
        ? throughFilter(machine, site, alternative, 'a function decides what goes along through JSON')
        : throughJson(machine, site, alternative, 0),
    ),
  );
};

function originOfText(text: Value | undefined): number {
  return text?.alternatives.reduce((all, one) => all | (one.kind === 'opaque' ? one.origin : 0), 0) ?? 0;
}

function throughJson(machine: Machine, site: CallSite, of: Alternative, depth: number): Value {
  const preserved = preservedTypeOf(of);
  if (preserved === null) {
    return of.kind === 'object' && depth < DEEPEST_JSON && !isUntracked(one(of))
      ? holderThroughJson(machine, site, of, depth)
      : one(of);
  }
  const { properties, others } = propertiesToSpread(machine, { alternatives: [of] }, site.at, site.node);
  const kept = new Map<string, Value>();
  for (const [name, value] of properties) {
    const field = preserved.fields?.find((one) => one.name === name);
    if (field?.survivesJson !== false) {
      kept.set(name, field?.survivesJson === null ? opened(value) : value);
    } else {
      // Null stays null; an instance comes back as something else, or not at all.
      kept.set(
        name,
        map(value, (inner) => (inner.kind === 'literal' ? inner : { ...lost, when: inner.when })),
      );
    }
  }
  return copied(machine, site, of, { properties: kept, others });
}

const DEEPEST_JSON = 4;

/** An object or a list that holds results: each comes back as what JSON makes of it. */
function holderThroughJson(machine: Machine, site: CallSite, of: ObjectValue, depth: number): Value {
  const isData = of.collection === null || of.collection === 'array';
  const through = (value: Value): Value =>
    join(...value.alternatives.map((inner) => throughJson(machine, site, inner, depth + 1)));
  const properties = isData ? [...machine.propertiesOf(of, site.at)] : [];
  const others = isData ? machine.othersOf(of, site.at) : null;
  const id = machine.identities.of(
    `json ${String(machine.numberAt(site.node))} ${String(of.id)}`,
    site.at.frame,
  );
  const object = machine.newObject(site.node, site.at, {
    id,
    properties: new Map(properties.map(([name, value]) => [name, through(value)])),
    others: others === null ? null : through(others),
    collection: of.collection === 'array' ? 'array' : null,
    references: of.references,
  });
  return one({ ...object, when: of.when });
}

const lost: Alternative = { kind: 'literal', value: undefined, references: NO_REFERENCES, when: NO_GUARD };

/** Kept only if its data is plain, which its type does not say. */
function opened(value: Value): Value {
  return map(value, (inner) =>
    inner.kind === 'opaque'
      ? { ...inner, unknown: 'whether JSON keeps it depends on the data', references: new Set() }
      : inner,
  );
}

const keys: Intrinsic = (_machine, site) => derivedFrom(site.args[0] ?? UNDEFINED, site);

const values: Intrinsic = (machine, site) => {
  const given = site.args[0] ?? UNDEFINED;
  const inner = given.alternatives.map((alternative): Value => {
    const { properties, others } = propertiesToSpread(
      machine,
      { alternatives: [alternative] },
      site.at,
      site.node,
    );
    return join(...properties.values(), ...(others === null ? [] : [others]));
  });
  return one(machine.newObject(site.node, site.at, { collection: 'array', others: join(...inner) }));
};

const entries: Intrinsic = (machine, site) => {
  const [list] = values(machine, site, NO_CALLEE).alternatives;
  const value = list?.kind === 'object' ? (list.others ?? NEVER) : NEVER;
  const pair = new Map([
    ['0', opaque({ description: 'a key', references: referencesIn(site.args[0] ?? UNDEFINED) })],
    ['1', value],
  ]);
  const entry = one(machine.newObject(site.node, site.at, { collection: 'array', properties: pair }));
  const array = machine.newObject(site.node, site.at, { collection: 'array', others: entry });
  const [given, ...more] = site.args[0]?.alternatives ?? [];
  if (given !== undefined && more.length === 0 && preservedTypeOf(given) !== null) {
    const { properties } = propertiesToSpread(machine, one(given), site.at, site.node);
    notePairs(
      machine,
      array,
      [...properties].map(([name, inner]) => pairOf(machine, name, inner, site)),
    );
  }
  return deriving(one(array), wholeOf(site));
};

/** `Object.fromEntries`: which keys there are is not known; what is in them is. */
const fromEntries: Intrinsic = (machine, site) => {
  const [list] = site.args;
  const pairs = pairsOf(machine, list);
  if (pairs !== null) {
    return ofPairs(machine, pairs, site);
  }
  const entry = list === undefined ? NEVER : machine.elementsOf(list, site.at, site.node);
  const value = machine.readProperty(entry, '1', site.at, site.node);
  const object = machine.newObject(site.node, site.at, { others: value });
  return deriving(one(object), list === undefined ? new Set() : referencesIn(list));
};

function ofPairs(machine: Machine, pairs: readonly Value[], site: CallSite): Value {
  const properties = new Map<string, Value>();
  let others: Value | null = null;
  for (const pair of pairs) {
    const [key, ...more] = machine.readProperty(pair, '0', site.at, site.node).alternatives;
    const name = key === undefined || more.length > 0 ? null : keyText(key);
    const value = machine.readProperty(pair, '1', site.at, site.node);
    if (name === null) {
      others = join(others ?? NEVER, value);
    } else {
      properties.set(name, value);
    }
  }
  return one(machine.newObject(site.node, site.at, { properties, others }));
}

function wholeOf(site: CallSite): References {
  const found = new Set<string>();
  for (const text of referencesIn(site.args[0] ?? UNDEFINED)) {
    found.add(reference(parseReference(text).id, WHOLE));
  }
  return found;
}

const NO_CALLEE = {
  kind: 'external',
  module: '',
  path: 'Object.values',
  symbol: null,
  members: [],
  references: new Set<string>(),
  when: new Map<number, number>(),
} as const;

/** `Reflect.apply(fn, self, args)`. */
const applied: Intrinsic = (machine, site) => {
  const [callee = NEVER, self = UNDEFINED, list] = site.args;
  const known = list === undefined ? [] : fixedElements(machine, list, site.at);
  return machine.call({
    ...site,
    callee,
    self,
    args: known ?? [],
    spread: known === null && list !== undefined ? machine.elementsOf(list, site.at, site.node) : null,
  });
};

export const OBJECT_INTRINSICS: readonly (readonly [string, Intrinsic])[] = [
  ['new Proxy', newProxy],
  ['eval', evaluated],
  ['Object.defineProperty', defineOne],
  ['Object.defineProperties', changesAnything],
  ['Object.setPrototypeOf', changesAnything],
  ['Reflect.apply', applied],
  ['Reflect.construct', constructed],
  ['Reflect.defineProperty', defineOne],
  ['Reflect.deleteProperty', remove],
  ['Reflect.get', get],
  ['Reflect.set', set],
  ['Reflect.setPrototypeOf', changesAnything],
  ['Object.create', created],
  ['Object.assign', assign],
  ['Object.freeze', handsThrough],
  ['Object.seal', handsThrough],
  ['Object.preventExtensions', handsThrough],
  ['Object.keys', keys],
  ['Object.values', values],
  ['Object.entries', entries],
  ['Object.fromEntries', fromEntries],
  ['structuredClone', structuredCloneOf],
  ['JSON.stringify', stringify],
  ['JSON.parse', parse],
];
