import type { ts } from '../../../engine/typescript.mjs';
import { deriving, join, referencesIn } from '../values/join.js';
import { valueKey } from '../values/keys.js';
import { NEVER, UNDEFINED, native, one, opaque, unknownValue } from '../values/make.js';
import type { CallSite, ObjectValue, Point, Value } from '../values/value.js';
import { fixedElements } from '../interpret/call-expressions.js';
import { perhaps } from '../interpret/forks.js';
import { iterated } from '../interpret/implicit-calls.js';
import type { Machine } from '../interpret/machine.js';
import { originsOf } from '../interpret/operators.js';
import { allOf, derivedFrom } from './derive.js';
import { changedPairs, notePairs, pairsOf } from './known-entries.js';
import type { Intrinsic } from './intrinsic.js';

/** Methods that hand each element to a function. */
const CALLBACK_METHODS = new Set([
  'map',
  'flatMap',
  'filter',
  'find',
  'findLast',
  'findIndex',
  'findLastIndex',
  'forEach',
  'some',
  'every',
  'reduce',
  'reduceRight',
  'sort',
  'toSorted',
]);
/** Methods that answer a list of the elements. */
const LIST_METHODS = new Set(['slice', 'toReversed', 'toSpliced', 'flat', 'values', 'with']);
/** Methods that move, replace or take away elements of the list itself; what they are given may come in. */
const MOVING_METHODS = new Set(['pop', 'shift', 'reverse', 'splice', 'fill', 'copyWithin', 'unshift']);
const SHRINKING_METHODS = new Set(['pop', 'shift', 'splice']);

export function isCallbackMethod(name: string): boolean {
  return CALLBACK_METHODS.has(name);
}

interface List {
  readonly self: Value;
  readonly element: Value;
  /** The elements in order, where their number is known. */
  readonly fixed?: readonly Value[] | null;
}

export function arrayMethod(machine: Machine, name: string, list: List): Value {
  return native(`${name} ${valueKey(list.self)}`, (site) => callArrayMethod(machine, name, list, site));
}

function callArrayMethod(machine: Machine, name: string, list: List, site: CallSite): Value {
  const [callback = UNDEFINED, initial] = site.args;
  if (name === 'reduce' || name === 'reduceRight') {
    return reduce(machine, list, site, callback, initial);
  }
  const pairs = name === 'filter' || name === 'map' ? pairsOf(machine, list.self) : null;
  const left =
    pairs === null
      ? null
      : changedPairs(machine, name, pairs, (pair) => callWith(machine, list, site, callback, pair));
  const answers = left ?? callForEach(machine, list, site, callback);
  const all = join(...answers);
  const { at, node } = site;
  if (left !== null) {
    const changed = machine.newObject(node, at, { collection: 'array', others: all });
    notePairs(machine, changed, left);
    return deriving(one(changed), referencesIn(list.self));
  }
  const references = referencesIn(list.self);
  switch (name) {
    case 'map': {
      const isFixed = list.fixed !== undefined && list.fixed !== null;
      const properties = new Map(isFixed ? answers.map((answer, index) => [String(index), answer]) : []);
      return one({
        ...machine.newObject(node, at, { collection: 'array', properties, others: isFixed ? null : all }),
        references,
      });
    }
    case 'flatMap':
      return one(
        machine.newObject(node, at, { collection: 'array', others: machine.elementsOf(all, at, node) }),
      );
    case 'filter':
      return one(machine.newObject(node, at, { collection: 'array', others: list.element }));
    case 'find':
    case 'findLast':
      return join(list.element, UNDEFINED);
    case 'forEach':
      return UNDEFINED;
    case 'sort':
      machine.scramble(list.self, NEVER, false, at);
      return list.self;
    case 'toSorted':
      return one(machine.newObject(node, at, { collection: 'array', others: list.element }));
    default:
      return opaque({ ...originsOf([list.self]), references });
  }
}

function callWith(machine: Machine, list: List, site: CallSite, callback: Value, element: Value): Value {
  const index = opaque({ description: 'an index' });
  return machine.call({
    ...site,
    self: UNDEFINED,
    callee: callback,
    args: [element, index, list.self],
    spread: null,
  });
}

/** The answers per element, or the one for any element. */
function callForEach(machine: Machine, list: List, site: CallSite, callback: Value): readonly Value[] {
  if (!callback.alternatives.some(({ kind }) => kind !== 'literal')) {
    return [];
  }
  const call = (element: Value): Value => callWith(machine, list, site, callback, element);
  if (list.fixed !== undefined && list.fixed !== null && list.fixed.length <= 8) {
    return list.fixed.map(call);
  }
  const { at } = site;
  let answer = NEVER;
  at.frame.loops.push(site.node);
  perhaps(at, () => {
    answer = call(list.element);
  });
  at.frame.loops.pop();
  return [answer];
}

function reduce(
  machine: Machine,
  list: List,
  site: CallSite,
  callback: Value,
  initial: Value | undefined,
): Value {
  let result = initial ?? list.element;
  for (let round = 0; round < 3; round += 1) {
    const before = result;
    perhaps(site.at, () => {
      const answer = machine.call({
        ...site,
        self: UNDEFINED,
        callee: callback,
        args: [before, list.element],
        spread: null,
      });
      result = join(before, answer);
    });
    if (valueKey(result) === valueKey(before)) {
      break;
    }
  }
  return result;
}

function allElements(machine: Machine, of: ObjectValue, at: Point): Value {
  const others = machine.othersOf(of, at);
  return join(...machine.propertiesOf(of, at).values(), ...(others === null ? [] : [others]));
}

/** A method of an array, map, set or iterator whose contents are followed. */
export function collectionMethod(machine: Machine, of: ObjectValue, name: string, at: Point): Value | null {
  if (name === '@@iterator' || name === '@@asyncIterator') {
    return native(`${name} ${valueKey(one(of))}`, (site) =>
      of.collection === 'iterator'
        ? one(of)
        : one(
            machine.newObject(site.node, site.at, {
              collection: 'iterator',
              others: machine.elementsOf(one(of), site.at, site.node),
            }),
          ),
    );
  }
  switch (of.collection) {
    case 'array':
      return listMethod(machine, of, name, at);
    case 'map':
      return mapMethod(machine, of, name);
    case 'set':
      return setMethod(machine, of, name);
    case 'iterator':
      return iteratorMethod(machine, of, name);
    default:
      return null;
  }
}

function listMethod(machine: Machine, of: ObjectValue, name: string, at: Point): Value | null {
  const self = one(of);
  if (CALLBACK_METHODS.has(name)) {
    const fixed = fixedElements(machine, self, at);
    const element = machine.elementsOf(self, at, of.place);
    return arrayMethod(machine, name, { self, element, fixed: name === 'filter' ? null : fixed });
  }
  if (MOVING_METHODS.has(name)) {
    return native(`${name} ${valueKey(self)}`, (site) => moveElements(machine, self, name, site), name);
  }
  if (name === 'at') {
    return native(`at ${valueKey(self)}`, (site) => {
      const [index] = site.args[0]?.alternatives ?? [];
      return index?.kind === 'literal' && typeof index.value === 'number' && index.value >= 0
        ? machine.readProperty(self, String(index.value), site.at, site.node)
        : join(machine.elementsOf(self, site.at, site.node), UNDEFINED);
    });
  }
  if (LIST_METHODS.has(name)) {
    return native(`${name} ${valueKey(self)}`, (site) => {
      const elements = machine.elementsOf(self, site.at, site.node);
      const inner = name === 'flat' ? machine.elementsOf(elements, site.at, site.node) : NEVER;
      const given = name === 'with' || name === 'toSpliced' ? allOf(site) : NEVER;
      return one(
        machine.newObject(site.node, site.at, {
          collection: 'array',
          others: join(elements, inner, given),
        }),
      );
    });
  }
  switch (name) {
    case 'push':
      return native(
        `${name} ${valueKey(self)}`,
        (site) => {
          for (const value of [...site.args, ...(site.spread === null ? [] : [site.spread])]) {
            machine.writeProperty(self, null, value, site.at);
          }
          return opaque({ description: 'the number of elements' });
        },
        name,
      );
    case 'concat':
      return native(`${name} ${valueKey(self)}`, (site) => {
        const more = site.args.map((value) => {
          const lists = machine.elementsOf(value, site.at, site.node);
          return lists.alternatives.length === 0 ? value : lists;
        });
        const others = join(allElements(machine, of, site.at), ...more);
        return one(machine.newObject(site.node, site.at, { collection: 'array', others }));
      });
    default:
      return null;
  }
}

function moveElements(machine: Machine, self: Value, name: string, site: CallSite): Value {
  const elements = machine.elementsOf(self, site.at, site.node);
  const given = name === 'fill' ? (site.args[0] ?? UNDEFINED) : name === 'copyWithin' ? NEVER : allOf(site);
  machine.scramble(self, given, SHRINKING_METHODS.has(name), site.at);
  switch (name) {
    case 'pop':
    case 'shift':
      return join(elements, UNDEFINED);
    case 'splice':
      return one(machine.newObject(site.node, site.at, { collection: 'array', others: elements }));
    case 'unshift':
      return opaque({ description: 'the number of elements' });
    default:
      return self;
  }
}

function keyName(key: Value | undefined): string | null {
  const [only, ...more] = key?.alternatives ?? [];
  return more.length === 0 && only?.kind === 'literal' ? `key:${String(only.value)}` : null;
}

function mapMethod(machine: Machine, of: ObjectValue, name: string): Value | null {
  const self = one(of);
  const key = `${name} ${valueKey(self)}`;
  switch (name) {
    case 'get':
      return native(key, (site) => {
        if (machine.isFilledElsewhere(of, site.at)) {
          return machine.typedAt(site.node, site.at, 'what it holds is stored elsewhere');
        }
        const wanted = keyName(site.args[0]);
        const known = wanted === null ? undefined : machine.propertiesOf(of, site.at).get(wanted);
        const others = machine.othersOf(of, site.at);
        if (known !== undefined) {
          // A key that is not known may have been this one.
          return others === null ? known : join(known, others);
        }
        if (wanted !== null) {
          return others === null ? UNDEFINED : join(others, UNDEFINED);
        }
        return join(allElements(machine, of, site.at), UNDEFINED);
      });
    case 'set':
      return native(key, (site) => {
        machine.writeProperty(self, keyName(site.args[0]), site.args[1] ?? UNDEFINED, site.at);
        return self;
      });
    case 'values':
      return native(key, (site) =>
        one(
          machine.newObject(site.node, site.at, {
            collection: 'array',
            others: allElements(machine, of, site.at),
          }),
        ),
      );
    case 'entries':
      return native(key, (site) => {
        const pair = new Map([
          ['0', opaque({ description: 'a key' })],
          ['1', allElements(machine, of, site.at)],
        ]);
        const entry = one(machine.newObject(site.node, site.at, { collection: 'array', properties: pair }));
        return one(machine.newObject(site.node, site.at, { collection: 'array', others: entry }));
      });
    case 'forEach':
      return native(key, (site) =>
        callArrayMethod(machine, 'forEach', { self, element: allElements(machine, of, site.at) }, site),
      );
    case 'delete':
      return native(key, (site) => {
        const gone = keyName(site.args[0]);
        if (gone === null) {
          machine.scramble(self, NEVER, true, site.at);
        } else {
          machine.writeProperty(self, gone, NEVER, site.at);
        }
        return derivedFrom(opaque({}), site);
      });
    case 'clear':
      return native(key, (site) => {
        machine.clear(self, site.at);
        return UNDEFINED;
      });
    case 'has':
    case 'keys':
      return native(key, (site) => derivedFrom(opaque({}), site));
    default:
      return null;
  }
}

function setMethod(machine: Machine, of: ObjectValue, name: string): Value | null {
  const self = one(of);
  const key = `${name} ${valueKey(self)}`;
  switch (name) {
    case 'add':
      return native(key, (site) => {
        machine.writeProperty(self, null, site.args[0] ?? UNDEFINED, site.at);
        return self;
      });
    case 'values':
    case 'keys':
      return native(key, (site) =>
        one(
          machine.newObject(site.node, site.at, {
            collection: 'array',
            others: allElements(machine, of, site.at),
          }),
        ),
      );
    case 'forEach':
      return native(key, (site) =>
        callArrayMethod(machine, 'forEach', { self, element: allElements(machine, of, site.at) }, site),
      );
    case 'has':
    case 'delete':
    case 'clear':
      return native(key, (site) => derivedFrom(opaque({}), site));
    default:
      return null;
  }
}

function iteratorMethod(machine: Machine, of: ObjectValue, name: string): Value | null {
  if (name !== 'next' && name !== 'return') {
    return null;
  }
  return native(`${name} ${valueKey(one(of))}`, (site) => {
    const returned = of.properties.get('return value') ?? UNDEFINED;
    const isPlain = returned.alternatives.every((inner) => inner.kind === 'literal');
    const yielded = of.others ?? NEVER;
    const value = yielded.alternatives.length > 0 && isPlain ? yielded : join(yielded, returned);
    const properties = new Map([
      ['value', value],
      ['done', opaque({ description: 'whether the iterator is done' })],
    ]);
    return one(machine.newObject(site.node, site.at, { properties }));
  });
}

/** What iterating over a value gives. */
export function elementsOf(machine: Machine, value: Value, at: Point, node: ts.Node): Value {
  return join(
    ...value.alternatives.map((alternative): Value => {
      switch (alternative.kind) {
        case 'object': {
          if (alternative.collection === 'iterator') {
            return alternative.others ?? NEVER;
          }
          if (machine.isFilledElsewhere(alternative, at)) {
            return machine.typedElements(node, at);
          }
          if (alternative.collection === 'map') {
            const pair = new Map([
              ['0', opaque({ description: 'a key' })],
              ['1', allElements(machine, alternative, at)],
            ]);
            return one(machine.newObject(node, at, { collection: 'array', properties: pair }));
          }
          return alternative.collection === null
            ? (iterated(machine, alternative, at, node) ??
                unknownValue('what iterating over it gives is not followed', node))
            : deriving(allElements(machine, alternative, at), alternative.references);
        }
        case 'opaque':
          return machine.readIndexed(alternative, at, node);
        case 'promise':
          return elementsOf(machine, alternative.value, at, node);
        case 'literal':
          return typeof alternative.value === 'string'
            ? opaque({ references: alternative.references })
            : NEVER;
        default:
          return unknownValue('what iterating over it gives is not followed', node);
      }
    }),
  );
}

const listFrom: Intrinsic = (machine, site) => {
  const [source = NEVER, change] = site.args;
  const element = machine.elementsOf(source, site.at, site.node);
  const list = one(machine.newObject(site.node, site.at, { collection: 'array', others: element }));
  return change === undefined
    ? list
    : callArrayMethod(machine, 'map', { self: list, element }, { ...site, args: [change] });
};

const listOf: Intrinsic = (machine, site) => {
  const properties = new Map(site.args.map((value, index) => [String(index), value]));
  return one(machine.newObject(site.node, site.at, { collection: 'array', properties, others: site.spread }));
};

const newMap: Intrinsic = (machine, site) => {
  const [source] = site.args;
  const map = machine.newObject(site.node, site.at, { collection: 'map' });
  if (source === undefined) {
    return one(map);
  }
  const entries = fixedElements(machine, source, site.at);
  const properties = new Map<string, Value>();
  let others: Value | null = null;
  for (const entry of entries ?? [machine.elementsOf(source, site.at, site.node)]) {
    const name = keyName(machine.readProperty(entry, '0', site.at, site.node));
    const value = machine.readProperty(entry, '1', site.at, site.node);
    if (name !== null && entries !== null) {
      properties.set(name, value);
    } else {
      others = join(others ?? NEVER, value);
    }
  }
  return one({ ...map, properties, others });
};

const newSet: Intrinsic = (machine, site) => {
  const [source] = site.args;
  const others = source === undefined ? null : machine.elementsOf(source, site.at, site.node);
  return one(machine.newObject(site.node, site.at, { collection: 'set', others }));
};

export const COLLECTION_INTRINSICS: readonly (readonly [string, Intrinsic])[] = [
  ['Array.from', listFrom],
  ['Array.fromAsync', listFrom],
  ['Array.of', listOf],
  ['Array', listOf],
  ['new Array', (machine, site) => one(machine.newObject(site.node, site.at, { collection: 'array' }))],
  ['new Map', newMap],
  ['new WeakMap', newMap],
  ['new Set', newSet],
  ['new WeakSet', newSet],
];
