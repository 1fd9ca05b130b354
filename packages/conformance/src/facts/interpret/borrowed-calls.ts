import { ts } from '../../../engine/typescript.mjs';
import { native, one, UNDEFINED } from '../values/make.js';
import type { CallSite, ExternalValue, OpaqueValue, Value } from '../values/value.js';
import { fixedElements } from './call-expressions.js';
import { calleeText } from './calls.js';
import type { Machine } from './machine.js';

/** `f.call(…)`, `f.apply(…)` and `f.bind(…)` of a function that is not here, and methods taken off a prototype. */
export function borrowedCall(machine: Machine, callee: ExternalValue, site: CallSite): Value | null {
  const [, path, how] = /^(.+)\.(call|apply|bind)$/u.exec(callee.path) ?? [];
  // These keep a function of their own by that name.
  if (path === undefined || how === undefined || /^Async(?:Resource|LocalStorage)$/u.test(path)) {
    return null;
  }
  const self = site.args[0] ?? UNDEFINED;
  const method = /^(?:Array|Map|Set)\.prototype\.(\w+)$/u.exec(path)?.[1];
  const target =
    method !== undefined && callee.module === ''
      ? machine.readProperty(self, method, site.at, site.node)
      : one({ ...callee, path, members: callee.members.slice(0, -1) });
  return borrowed(machine, target, how, site);
}

/** The same for a member of what is known by its type: `content.create.call(content, …)`. */
export function borrowedMember(machine: Machine, callee: OpaqueValue, site: CallSite): Value | null {
  const { symbol, receiver } = callee;
  const owner = symbol?.declarations?.[0]?.parent;
  const isOfFunctions =
    owner !== undefined &&
    ts.isInterfaceDeclaration(owner) &&
    /^(?:Callable)?Function$/u.test(owner.name.text) &&
    /\/lib\.[\w.]*d\.ts$/u.test(owner.getSourceFile().fileName);
  return receiver !== null && isOfFunctions ? borrowed(machine, receiver, symbol?.name ?? '', site) : null;
}

function borrowed(machine: Machine, target: Value, how: string, site: CallSite): Value | null {
  const [self = UNDEFINED, ...rest] = site.args;
  switch (how) {
    case 'bind':
      return native(`bind ${calleeText(site.node)}`, (call) =>
        machine.call({ ...call, callee: target, self, args: [...rest, ...call.args] }),
      );
    case 'call':
      return machine.call({ ...site, callee: target, self, args: rest });
    case 'apply': {
      const [list] = rest;
      const known = list === undefined ? [] : fixedElements(machine, list, site.at);
      const spread =
        known === null && list !== undefined ? machine.elementsOf(list, site.at, site.node) : null;
      return machine.call({ ...site, callee: target, self, args: known ?? [], spread });
    }
    default:
      return null;
  }
}
