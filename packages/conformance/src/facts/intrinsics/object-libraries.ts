import { join } from '../values/join.js';
import { UNDEFINED, one, unknownValue } from '../values/make.js';
import { NO_REFERENCES } from '../values/references.js';
import type { CallSite, ExternalValue, Value } from '../values/value.js';
import { fixedElements } from '../interpret/call-expressions.js';
import { propertiesToSpread } from '../interpret/object-literals.js';
import type { Machine } from '../interpret/machine.js';
import { copied, structuredCloneOf, throughFilter } from './copies.js';
import type { Intrinsic } from './intrinsic.js';

// What the usual libraries do with the fields of an object: they are most often not installed where code is checked.

const LODASH = /^(?:lodash(?:-es)?(?:\/.+)?|lodash\.\w+|es-toolkit(?:\/.+)?|radash|@types\/lodash(?:-es)?)$/u;
const DRAFTS = /^(?:immer|mutative)$/u;

export function libraryIntrinsicFor(callee: ExternalValue): Intrinsic | null {
  const { module, path } = callee.importedAs ?? callee;
  const name = memberName(callee, module, path);
  if (LODASH.test(module)) {
    return OBJECT_FUNCTIONS.get(name) ?? null;
  }
  return DRAFTS.test(module) && DRAFTING.has(name) ? drafted : null;
}

/** The last name; of a module that is one function, the module's. */
function memberName(callee: ExternalValue, module: string, path: string): string {
  const member = callee.members.at(-1);
  const last = member ?? path.split('.').at(-1) ?? '';
  return last === '' || last === 'default'
    ? (module
        .split(/[./]/u)
        .filter((part) => part !== 'js')
        .at(-1) ?? '')
    : last;
}

/** The names that are given, one by one or in lists; null where one of them is not known. */
function namesIn(machine: Machine, site: CallSite): readonly string[] | null {
  if (site.spread !== null) {
    return null;
  }
  const names: string[] = [];
  for (const value of site.args.slice(1)) {
    for (const part of fixedElements(machine, value, site.at) ?? [value]) {
      const [only, ...more] = part.alternatives;
      if (only?.kind !== 'literal' || typeof only.value !== 'string' || more.length > 0) {
        return null;
      }
      names.push(only.value);
    }
  }
  return names;
}

const choosing =
  (isLeft: (name: string, names: readonly string[]) => boolean): Intrinsic =>
  (machine, site) => {
    const names = namesIn(machine, site);
    return join(
      ...(site.args[0] ?? UNDEFINED).alternatives.map((alternative): Value => {
        if (names === null) {
          return throughFilter(
            machine,
            site,
            alternative,
            'the names of the fields that are left are computed',
          );
        }
        const { properties, others } = propertiesToSpread(machine, one(alternative), site.at, site.node);
        if (alternative.kind !== 'object' && properties.size === 0) {
          return unknownValue('which fields it has is not known', site.node, alternative.references);
        }
        const left = new Map([...properties].filter(([name]) => isLeft(name, names)));
        return copied(machine, site, alternative, { properties: left, others });
      }),
    );
  };

const pick = choosing((name, names) => names.includes(name));
const omit = choosing((name, names) => !names.includes(name));

/** A function decides for each field. */
const filtered: Intrinsic = (machine, site) => {
  for (const callback of site.args.slice(1).flatMap(({ alternatives }) => alternatives)) {
    if (callback.kind === 'function') {
      machine.callBack(callback, site, null);
    }
  }
  return join(
    ...(site.args[0] ?? UNDEFINED).alternatives.map((alternative) =>
      throughFilter(machine, site, alternative, 'a function decides which fields are left'),
    ),
  );
};

const OBJECT_FUNCTIONS: ReadonlyMap<string, Intrinsic> = new Map([
  ['pick', pick],
  ['omit', omit],
  ['pickBy', filtered],
  ['omitBy', filtered],
  ['mapValues', filtered],
  ['clone', structuredCloneOf],
  ['cloneDeep', structuredCloneOf],
]);

const DRAFTING = new Set(['produce', 'immer', 'create']);

/** `produce(base, recipe)`: a copy that the recipe has changed, or what it answers instead. */
const drafted: Intrinsic = (machine, site) => {
  const [base, recipe, ...more] = site.args;
  if (base === undefined || recipe === undefined || more.length > 0) {
    return unknownValue('the recipe of a draft is called elsewhere', site.node);
  }
  const draft = structuredCloneOf(machine, { ...site, args: [base] }, NO_CALLEE);
  const answer = machine.call({ ...site, self: UNDEFINED, callee: recipe, args: [draft], spread: null });
  const given = answer.alternatives.filter((inner) => inner.kind !== 'literal' || inner.value !== undefined);
  return answer.alternatives.length === given.length && given.length > 0
    ? { alternatives: given }
    : join(draft, { alternatives: given });
};

const NO_CALLEE: ExternalValue = {
  kind: 'external',
  module: '',
  path: 'structuredClone',
  symbol: null,
  members: [],
  references: NO_REFERENCES,
  when: new Map(),
};
