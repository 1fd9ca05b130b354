import { UNKNOWN } from '@toolwright/catalogue';
import { ts } from '../../../engine/typescript.mjs';
import { intrinsicFor, isPure } from '../intrinsics/registry.js';
import { memberOf } from '../queries/member-of.js';
import { one, unknownValue, UNDEFINED } from '../values/make.js';
import type { Alternative, CallSite, ExternalValue, NativeFunction } from '../values/value.js';
import { perhaps } from './forks.js';
import type { Machine } from './machine.js';

// Functions of libraries that are handed to other code as they are: `limit(rm, path)`, `setTimeout(unlink, 5, path)`.

/** Code that is called by whoever gets it, and that the project did not write. */
export type OutsideCode = ExternalValue | NativeFunction;

const NOTHING_KNOWN = Array.from({ length: 4 }, () => UNKNOWN);

/** Calls what a call is given, with arguments that nobody says. */
export function callHanded(machine: Machine, argument: Alternative, index: number, site: CallSite): void {
  if (!machine.effects.isWatching || argument.kind !== 'external' || !isFunction(machine, argument)) {
    return;
  }
  callOutside(machine, argument, { ...site, node: argumentAt(site.node, index) });
}

/** Calls a function of a library, as code may that keeps it. */
export function callOutside(machine: Machine, code: OutsideCode, site: CallSite): void {
  const given = unknownValue('what it is called with is not known', site.node);
  perhaps(site.at, () => {
    const handed = { ...site, self: UNDEFINED, callee: one(code) };
    if (code.kind === 'native') {
      code.call({ ...handed, args: [given], spread: null });
    } else {
      machine.call({ ...handed, args: [], spread: given });
    }
  });
}

/** Whether a function writes whatever it is given: what keeps it then is a writer. */
export function alwaysWrites(machine: Machine, code: Alternative): code is ExternalValue {
  if (code.kind !== 'external' || code.path === '' || intrinsicFor(code) !== null || isPure(code)) {
    return false;
  }
  const { value } = machine.libraries.ofExternal(code);
  const judgement =
    value === null
      ? null
      : machine.libraries.catalogue.classify(value, { arguments: NOTHING_KNOWN, chain: [] });
  return (
    judgement !== null &&
    judgement.certainty === 'always' &&
    (judgement.effect === 'local' || judgement.effect === 'remote' || judgement.effect === 'content')
  );
}

/** Whether it can be called: a client, a module or a class that is handed over is not called by that. */
function isFunction(machine: Machine, code: ExternalValue): boolean {
  if (code.path === '' || intrinsicFor(code) !== null || isPure(code)) {
    return false;
  }
  if (code.symbol === null || (code.symbol.flags & ts.SymbolFlags.Alias) !== 0) {
    // Not installed.
    return alwaysWrites(machine, code);
  }
  if (code.members.length === 0) {
    return (code.symbol.flags & ts.SymbolFlags.Function) !== 0;
  }
  const member = memberOf(machine.queries, code.symbol, code.members);
  return member !== null && (member.flags & (ts.SymbolFlags.Function | ts.SymbolFlags.Method)) !== 0;
}

function argumentAt(node: ts.Node, index: number): ts.Node {
  const given = ts.isCallExpression(node) || ts.isNewExpression(node) ? node.arguments : undefined;
  return given?.[index] ?? node;
}
