import { ts } from '../../../engine/typescript.mjs';
import { join } from '../values/join.js';
import { NEVER, UNDEFINED, literal, native, one, opaque, promise, unknownValue } from '../values/make.js';
import type { CallSite, PromiseValue, Value } from '../values/value.js';
import type { Machine } from '../interpret/machine.js';
import { inFork, perhaps } from '../interpret/forks.js';
import { settled } from '../interpret/implicit-calls.js';
import { awaited } from '../interpret/loops.js';
import { numberOf, valueKey } from '../values/keys.js';
import type { Intrinsic } from './intrinsic.js';

/** Calls a handler in a fork, because it may not be called. */
function maybeCall(machine: Machine, site: CallSite, handler: Value, args: readonly Value[]): Value {
  const { at } = site;
  let answer = NEVER;
  perhaps(at, () => {
    answer = machine.call({ ...site, self: UNDEFINED, callee: handler, args, spread: null });
  });
  return awaited(answer);
}

function isCallable(value: Value | undefined): value is Value {
  return value?.alternatives.some(({ kind }) => kind !== 'literal') ?? false;
}

export function promiseMethod(machine: Machine, of: PromiseValue, name: string): Value | null {
  const error = opaque({ description: 'the error of a promise' });
  const key = `${name} ${valueKey(of.value)}`;
  switch (name) {
    case 'then':
      return native(key, (site) => {
        const [fulfilled, rejected] = site.args;
        const kept = isCallable(fulfilled)
          ? maybeCall(machine, site, fulfilled, [awaited(of.value)])
          : of.value;
        const caught = isCallable(rejected) ? maybeCall(machine, site, rejected, [error]) : NEVER;
        return promise(join(kept, caught));
      });
    case 'catch':
      return native(key, (site) => {
        const [rejected] = site.args;
        const caught = isCallable(rejected) ? maybeCall(machine, site, rejected, [error]) : NEVER;
        return promise(join(of.value, caught));
      });
    case 'finally':
      return native(key, (site) => {
        const [handler] = site.args;
        if (isCallable(handler)) {
          maybeCall(machine, site, handler, []);
        }
        return promise(of.value);
      });
    default:
      return null;
  }
}

function listed(machine: Machine, site: CallSite): readonly Value[] | null {
  const [list] = site.args;
  const [only, ...more] = list?.alternatives ?? [];
  if (
    more.length > 0 ||
    only?.kind !== 'object' ||
    only.collection !== 'array' ||
    machine.othersOf(only, site.at) !== null
  ) {
    return null;
  }
  return [...machine.propertiesOf(only, site.at).values()];
}

function arrayOf(
  machine: Machine,
  site: CallSite,
  values: readonly Value[] | null,
  change: (value: Value) => Value,
): Value {
  const [list] = site.args;
  if (values !== null) {
    const properties = new Map(values.map((value, index) => [String(index), change(value)]));
    return one(machine.newObject(site.node, site.at, { collection: 'array', properties }));
  }
  const elements = list === undefined ? NEVER : machine.elementsOf(list, site.at, site.node);
  return one(machine.newObject(site.node, site.at, { collection: 'array', others: change(elements) }));
}

const all: Intrinsic = (machine, site) =>
  promise(
    arrayOf(machine, site, listed(machine, site), (value) => settled(machine, value, site.at, site.node)),
  );

const allSettled: Intrinsic = (machine, site) =>
  promise(
    arrayOf(machine, site, listed(machine, site), (value) => {
      const fulfilled = new Map([
        ['status', literal('fulfilled')],
        ['value', settled(machine, value, site.at, site.node)],
      ]);
      const rejected = new Map([
        ['status', literal('rejected')],
        ['reason', opaque({ description: 'the error of a promise' })],
      ]);
      return join(
        ...[fulfilled, rejected].map((properties, index) => {
          // Two objects of one place: which of them it is, its status tells.
          const tag = `settled ${String(machine.numberAt(site.node))} ${String(index)}`;
          const id = machine.identities.of(tag, site.at.frame);
          return one(machine.newObject(site.node, site.at, { id, properties }));
        }),
      );
    }),
  );

const race: Intrinsic = (machine, site) => {
  const [list] = site.args;
  return promise(
    list === undefined
      ? NEVER
      : settled(machine, machine.elementsOf(list, site.at, site.node), site.at, site.node),
  );
};

const resolve: Intrinsic = (machine, site) =>
  promise(settled(machine, site.args[0] ?? UNDEFINED, site.at, site.node));

/** `new Promise((resolve, reject) => …)`: what resolve is called with. */
const newPromise: Intrinsic = (machine, site) => {
  const [executor] = site.args;
  let settled = NEVER;
  const settle = native(`resolve ${String(numberOf(site.node))}`, (call) => {
    settled = join(settled, awaited(call.args[0] ?? UNDEFINED));
    return UNDEFINED;
  });
  const reject = native(`reject ${String(numberOf(site.node))}`, () => UNDEFINED);
  if (executor !== undefined) {
    const { at } = site;
    const base = at.state;
    const running = base.fork();
    inFork(at, running, () => {
      machine.call({ ...site, self: UNDEFINED, callee: executor, args: [settle, reject], spread: null });
    });
    base.absorb([{ ...running.asBranchOf(base), isDead: false }]);
  }
  return promise(
    settled.alternatives.length === 0 && mayResolveLater(executor)
      ? unknownValue('what the promise is resolved with is not seen', site.node)
      : settled,
  );
};

/** Whether an executor uses its `resolve` at all, or is not known. */
function mayResolveLater(executor: Value | undefined): boolean {
  return (
    executor?.alternatives.some((one) => {
      if (one.kind !== 'function') {
        return true;
      }
      const name = one.node.parameters[0]?.name;
      return name !== undefined && ts.isIdentifier(name) && isMentioned(one.node, name.text);
    }) ?? true
  );
}

function isMentioned(fn: ts.SignatureDeclaration, name: string): boolean {
  const isName = (node: ts.Node): boolean | undefined =>
    (ts.isIdentifier(node) && node.text === name && !ts.isParameter(node.parent)) ||
    ts.forEachChild(node, isName);
  return ts.forEachChild(fn, isName) ?? false;
}

export const PROMISE_INTRINSICS: readonly (readonly [string, Intrinsic])[] = [
  ['Promise.all', all],
  ['Promise.allSettled', allSettled],
  ['Promise.race', race],
  ['Promise.any', race],
  ['Promise.resolve', resolve],
  ['Promise.reject', () => promise(NEVER)],
  ['new Promise', newPromise],
];
