import type { ts } from '../../../engine/typescript.mjs';
import { without, type Guard } from '../values/guard.js';
import { RESULT, TARGET } from '../queries/preserved-types.js';
import { parseReference, reference, type References } from '../values/references.js';
import { map } from '../values/join.js';
import { isUntracked } from '../values/untracked.js';
import type { Alternative, CallSite, Value } from '../values/value.js';
import type { Machine } from './machine.js';
import { holdersIn } from './object-store.js';

interface Handover {
  readonly site: CallSite;
  /** Things that were made in frames from this one on are the callee's own. */
  readonly firstFrame: number;
  readonly name: string;
  /** Whether it is the answer that another call got: then the objects in it are others than that one's. */
  readonly isAgain: boolean;
}

const DEEPEST = 6;

/**
 * What a call answers, as its caller sees it: results made inside get an identity of this call, so that
 * two calls of one helper answer two results, and remember that they came through it. What is known
 * about the callee's own variables says nothing any more.
 */
export function handBack(machine: Machine, value: Value, handover: Handover): Value {
  const isSettled = (of: Value): boolean =>
    isUntracked(of) && !(handover.isAgain && holdersIn(of).some(({ kind }) => kind === 'object'));
  if (isSettled(value)) {
    return value;
  }
  const { site, firstFrame, isAgain } = handover;
  const { frame } = site.at;
  const renamed = new Map<number, number>();
  const isInner = (id: number): boolean => machine.identities.birthOf(id) >= firstFrame;
  const rename = (id: number): number => {
    if (!isInner(id)) {
      return id;
    }
    let fresh = renamed.get(id);
    if (fresh === undefined) {
      fresh = machine.identities.of(`call ${String(machine.numberAt(site.node))} ${String(id)}`, frame);
      renamed.set(id, fresh);
    }
    return fresh;
  };
  const guardOf = (guard: Guard): Guard => {
    const outer = without(guard, (subject) => isInner(subject) && !renamed.has(subject));
    if (renamed.size === 0 || outer.size === 0) {
      return outer;
    }
    return new Map([...outer].map(([subject, forms]) => [renamed.get(subject) ?? subject, forms]));
  };
  const referencesOf = (references: References): References => {
    if (references.size === 0) {
      return references;
    }
    const kept = [...references].flatMap((text) => {
      const { id, field } = parseReference(text);
      return !isInner(id) ? [text] : renamed.has(id) ? [reference(rename(id), field)] : [];
    });
    return kept.length === references.size && renamed.size === 0 ? references : new Set(kept);
  };
  // Identities first, so that references to them can be followed.
  collect(value, rename, 0);
  const change = (of: Value, depth: number): Value =>
    depth > DEEPEST || isSettled(of) ? of : map(of, (one) => changeOne(one, depth));
  const changeOne = (one: Alternative, depth: number): Alternative => {
    const base = { references: referencesOf(one.references), when: guardOf(one.when) };
    const isSame = base.references === one.references && base.when === one.when;
    switch (one.kind) {
      case 'result': {
        const id = rename(one.id);
        const isNew = id !== one.id;
        return {
          ...one,
          ...base,
          id,
          content: change(one.content, depth + 1),
          artifacts: change(one.artifacts, depth + 1),
          target: change(one.target, depth + 1),
          trail:
            isNew || one.typed === ''
              ? { call: site.node, callee: handover.name, inner: one.trail }
              : one.trail,
        };
      }
      case 'target':
        return {
          ...one,
          ...base,
          id: rename(one.id),
          table: change(one.table, depth + 1),
          uid: change(one.uid, depth + 1),
        };
      case 'object': {
        const properties = changeAll(one.properties, (inner) => change(inner, depth + 1));
        const others = one.others === null ? null : change(one.others, depth + 1);
        const isOther = isAgain && isInner(one.id) && one.preserved === null;
        if (isSame && properties === one.properties && others === one.others && !isOther) {
          return one;
        }
        const object = { ...one, ...base, properties, others };
        if (!isOther) {
          return object;
        }
        const tag = `again ${String(machine.numberAt(site.node))} ${String(one.id)}`;
        const other = { ...object, id: machine.identities.of(tag, frame) };
        machine.born(other, site.at);
        return other;
      }
      case 'promise':
        return { ...one, ...base, value: change(one.value, depth + 1) };
      case 'opaque': {
        const id = one.preserved === null ? one.id : rename(one.id);
        return isSame && id === one.id ? one : { ...one, ...base, id };
      }
      default:
        return isSame ? one : { ...one, ...base };
    }
  };
  const answer = change(value, 0);
  announce(machine, answer, renamed, site, 0);
  return answer;
}

function changeAll(
  properties: ReadonlyMap<string, Value>,
  change: (value: Value) => Value,
): ReadonlyMap<string, Value> {
  let changed: Map<string, Value> | null = null;
  for (const [name, value] of properties) {
    const next = change(value);
    if (next !== value) {
      changed ??= new Map(properties);
      changed.set(name, next);
    }
  }
  return changed ?? properties;
}

function collect(value: Value, rename: (id: number) => number, depth: number): void {
  if (isUntracked(value)) {
    return;
  }
  for (const one of value.alternatives) {
    if (one.kind === 'result' || one.kind === 'target' || (one.kind === 'opaque' && one.preserved !== null)) {
      rename(one.id);
    }
    if (depth < DEEPEST) {
      for (const part of innerParts(one)) {
        collect(part, rename, depth + 1);
      }
    }
  }
}

function innerParts(one: Alternative): readonly Value[] {
  switch (one.kind) {
    case 'promise':
      return [one.value];
    case 'object':
      return one.others === null ? [...one.properties.values()] : [...one.properties.values(), one.others];
    case 'result':
      return [one.target];
    default:
      return [];
  }
}

function formsOf(value: Value, id: number): number {
  return value.alternatives.reduce(
    (all, one) => (one.kind === 'result' && one.id === id ? all | one.form : all),
    0,
  );
}

/** From here on the answer is a live value of the caller. */
function announce(
  machine: Machine,
  value: Value,
  renamed: ReadonlyMap<number, number>,
  site: CallSite,
  depth: number,
): void {
  if (isUntracked(value)) {
    return;
  }
  const fresh = new Set(renamed.values());
  const { frame } = site.at;
  const node: ts.Node = site.node;
  for (const one of value.alternatives) {
    const preserved =
      one.kind === 'result'
        ? RESULT
        : one.kind === 'target'
          ? TARGET
          : one.kind === 'opaque'
            ? one.preserved
            : null;
    if (preserved !== null && 'id' in one && fresh.has(one.id)) {
      machine.observer.appeared(one.id, {
        preserved,
        place: node,
        description: 'the answer of a call',
        frame,
        loop: frame.loops.at(-1) ?? null,
        isElement: false,
        forms: formsOf(value, one.id),
        value: one.kind === 'result' || one.kind === 'target' ? one : null,
      });
    }
    if (depth < DEEPEST) {
      for (const part of innerParts(one)) {
        announce(machine, part, renamed, site, depth + 1);
      }
    }
  }
}
