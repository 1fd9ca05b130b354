import { ts } from '../../../engine/typescript.mjs';
import { NO_GUARD } from '../values/guard.js';
import { join, map } from '../values/join.js';
import { NEVER, one } from '../values/make.js';
import { NO_REFERENCES } from '../values/references.js';
import type { Alternative, CallSite, OpaqueValue, Value } from '../values/value.js';
import type { Implementation } from '../queries/implementing-members.js';
import { calleeText } from './calls.js';
import type { EffectLog } from './effect-log.js';
import { perhaps } from './forks.js';
import type { Machine } from './machine.js';
import { functionValue } from './names.js';

// A method that an interface or an abstract class of the project's own declares: the code that does it stands elsewhere.

/** More ways to do one thing are not followed. */
const MOST_IMPLEMENTATIONS = 12;

/** Runs what a tool may reach behind a declaration without code; several that don't agree say nothing for sure. */
export function runImplementing(machine: Machine, callee: OpaqueValue, site: CallSite): void {
  const declaration = callee.symbol?.declarations?.[0];
  if (
    !machine.effects.isWatching ||
    callee.symbol === null ||
    declaration === undefined ||
    !isWithoutCode(declaration) ||
    !machine.queries.isOwn(declaration) ||
    isOfSdk(machine, declaration)
  ) {
    return;
  }
  const found = machine.queries.elsewhere.implementing.of(callee.symbol);
  const { name } = callee.symbol;
  if (found.length > MOST_IMPLEMENTATIONS) {
    const why = `which of ${String(found.length)} implementations of \`${name}\` runs is not known`;
    machine.effects.unknown(site.node, why, site.at);
    return;
  }
  const logs = found.map((one) => runOne(machine, one, name, site));
  const writing = logs.filter(isWriting);
  const isOpen = writing.length > 0 && writing.length < logs.length;
  for (const log of logs) {
    const via = { call: site.node, callee: calleeText(site.node), conditions: site.at.state.conditions };
    if (!isOpen || !isWriting(log)) {
      site.at.frame.effects.takeIn(log, via);
    }
  }
  if (isOpen) {
    const why = `\`${name}\` writes in one of its ${String(logs.length)} implementations`;
    machine.effects.unknown(site.node, why, site.at);
  }
}

function isWriting({ reached }: EffectLog): boolean {
  return [...reached.values()].some(
    ({ judgement: { effect } }) => effect === 'local' || effect === 'remote' || effect === 'content',
  );
}

function isWithoutCode(node: ts.Declaration): boolean {
  return (
    ts.isMethodSignature(node) ||
    ts.isPropertySignature(node) ||
    (ts.isMethodDeclaration(node) && node.body === undefined)
  );
}

/** What the SDK gives a tool is known by its contract, whoever implements it. */
function isOfSdk({ queries }: Machine, { parent }: ts.Declaration): boolean {
  const owner = ts.isInterfaceDeclaration(parent) ? queries.symbolOfDeclaration(parent) : null;
  return owner !== null && queries.sdkNameOf(owner) !== null;
}

/** What one of them reaches, by itself. */
function runOne(machine: Machine, of: Implementation, name: string, site: CallSite): EffectLog {
  const { at, node } = site;
  const frame = machine.newFrame(node, {
    enclosing: at.frame,
    caller: at.frame,
    call: null,
    self: null,
    args: [],
    entry: at.state,
  });
  perhaps(at, () => {
    const inside = { frame, state: at.state };
    const code = codeOf(machine, of, name, { ...site, at: inside });
    machine.call({ ...site, callee: code, at: inside });
  });
  frame.isActive = false;
  return frame.effects;
}

function codeOf(machine: Machine, of: Implementation, name: string, { at, node }: CallSite): Value {
  if (of.kind === 'class') {
    const cls = {
      kind: 'class',
      node: of.node,
      frame: null,
      references: NO_REFERENCES,
      when: NO_GUARD,
    } as const;
    return onlyCode(machine.readProperty(machine.instanceOf(cls, at), name, at, node));
  }
  const { member } = of;
  if (ts.isMethodDeclaration(member)) {
    return functionValue(member, null);
  }
  const expression = ts.isPropertyAssignment(member)
    ? member.initializer
    : ts.isShorthandPropertyAssignment(member)
      ? member.name
      : null;
  return expression === null
    ? NEVER
    : ts.isFunctionLike(expression)
      ? functionValue(expression, null)
      : onlyCode(machine.evaluateInModule(expression, at));
}

function onlyCode({ alternatives }: Value): Value {
  return join(
    ...alternatives
      .filter(({ kind }) => kind === 'function' || kind === 'native' || kind === 'external')
      .map(one),
  );
}

/** What nothing is known of, and what is said to be of an own interface, has the code of that. */
export function asOwnInterface(machine: Machine, value: Value, type: ts.TypeNode): Value {
  if (!ts.isTypeReferenceNode(type) || !value.alternatives.some(isUntyped)) {
    return value;
  }
  const declaration = machine.queries.symbolOf(type.typeName)?.declarations?.[0];
  const isInterface =
    declaration !== undefined &&
    (ts.isInterfaceDeclaration(declaration) ||
      (ts.isTypeAliasDeclaration(declaration) && ts.isTypeLiteralNode(declaration.type)));
  if (!isInterface || !machine.queries.isOwn(declaration)) {
    return value;
  }
  const declared = machine.queries.declaredType(type);
  return map(value, (inner) => (isUntyped(inner) ? { ...inner, type: declared } : inner));
}

function isUntyped(one: Alternative): one is OpaqueValue {
  return one.kind === 'opaque' && one.type === null && one.preserved === null;
}
