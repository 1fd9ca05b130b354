import { UNKNOWN, type AbstractValue } from '@toolwright/catalogue';
import { SDK_MODULE } from '@toolwright/sdk/contract-names';
import { ts } from '../../../engine/typescript.mjs';
import type { ExternalName } from '../queries/type-queries.js';
import type { LibraryOrigin } from '../values/library.js';
import { map } from '../values/join.js';
import { external } from '../values/make.js';
import type { CallSite, OpaqueValue, Value } from '../values/value.js';
import { abstractOf } from './abstract-values.js';
import { handed } from './held-by-libraries.js';
import type { Machine, OutsideCall } from './machine.js';

// Calls of code that is not here: what is called, as the catalogue of effects knows it.

/** So many arguments may stand where a list of unknown length is spread. */
const SPREAD_ARGUMENTS = 4;

/** The context that a tool of the SDK is given. */
export const CONTEXT: LibraryOrigin = { module: SDK_MODULE, path: ['context'], value: null, made: null };

/** What a library gives to a function that it keeps: to call it is to go on with the library's own work. */
export const OF_CALLER: LibraryOrigin = { module: '', path: ['argument'], value: null, made: null };

/** Methods by which such a function answers the library: it has no other way to. */
const ANSWERING = new Set(['addIssue', 'enqueue', 'push', 'terminate', 'respondWith']);

/** Whether calling something only goes on with the work of the library that called. */
export function isOfCaller(origin: LibraryOrigin | null): boolean {
  const [root, member, ...more] = origin?.path ?? [];
  return (
    origin?.module === OF_CALLER.module &&
    root === OF_CALLER.path[0] &&
    more.length === 0 &&
    (member === undefined || ANSWERING.has(member))
  );
}

/** Whether something is the context of the SDK, or a member of it. */
export function isContext(origin: LibraryOrigin | null): boolean {
  return origin !== null && origin.module === SDK_MODULE && origin.path[0] === 'context';
}

/** Tells the watch of effects about a call of code that is not here. */
export function outside(
  machine: Machine,
  site: CallSite,
  called: Omit<OutsideCall, 'site' | 'isNew'>,
  isNew = false,
): void {
  if (site.at.state.isDead) {
    return;
  }
  if (machine.effects.isWatching) {
    machine.effects.called({ ...called, site, isNew });
  }
  handed(machine, site, called.name, called.origin?.module ?? called.receiver?.module ?? '', isNew);
}

/** The content handler's own methods, by the name that the contract gives them. */
export function contentCalled(machine: Machine, site: CallSite, name: string): void {
  outside(machine, site, { origin: CONTENT, receiver: null, name, from: 0 });
}

const CONTENT: LibraryOrigin = { ...CONTEXT, path: ['context', 'content'] };

/** The arguments of a call as the catalogue takes them. */
export function argumentsFor(machine: Machine, site: CallSite): readonly AbstractValue[] {
  if (ts.isTaggedTemplateExpression(site.node)) {
    return [taggedText(machine, site)];
  }
  const given = site.args.map((argument) => abstractOf(machine, argument, site.at));
  return site.spread === null
    ? given
    : [...given, ...Array.from({ length: SPREAD_ARGUMENTS }, () => UNKNOWN)];
}

/** The text of a tagged template, with what stands in its holes. */
function taggedText(machine: Machine, site: CallSite): AbstractValue {
  const { template } = site.node as ts.TaggedTemplateExpression;
  if (!ts.isTemplateExpression(template)) {
    return { kind: 'constant', value: template.text };
  }
  const parts: AbstractValue[] = [{ kind: 'constant', value: template.head.text }];
  for (const [index, span] of template.templateSpans.entries()) {
    const value = site.args[index + 1];
    parts.push(value === undefined ? UNKNOWN : abstractOf(machine, value, site.at));
    parts.push({ kind: 'constant', value: span.literal.text });
  }
  return { kind: 'template', parts };
}

/** What is called, for a callee of which only a type or an origin is known. */
export function calledOpaque(
  machine: Machine,
  callee: OpaqueValue,
  site: CallSite,
): Omit<OutsideCall, 'site' | 'isNew'> {
  const receiver = callee.receiver?.alternatives.find((one) => one.kind === 'opaque') ?? null;
  const receiverOrigin = receiver === null ? null : originOf(machine, receiver);
  const name = nameAt(site.node) ?? callee.symbol?.name ?? lastName(callee.description);
  return {
    origin:
      callee.library ?? (receiverOrigin === null ? null : machine.libraries.member(receiverOrigin, name)),
    receiver: receiverOrigin,
    name,
    from: receiver === null ? callee.origin : receiver.origin,
  };
}

/** By what gave it, else by its declared type, else by what it was read from. */
export function originOf(machine: Machine, of: OpaqueValue): LibraryOrigin | null {
  if (of.library !== null) {
    return of.library;
  }
  const declared = of.type === null ? null : machine.queries.declaredName(of.type);
  const byType = declared === null ? null : machine.libraries.ofType(declared.module, declared.path);
  if (byType !== null) {
    return byType;
  }
  const receiver = of.receiver?.alternatives.find((one) => one.kind === 'opaque') ?? null;
  const outer = receiver === null ? null : originOf(machine, receiver);
  return outer === null ? null : machine.libraries.member(outer, of.symbol?.name ?? lastName(of.description));
}

/** A value that is declared with a type of a library, installed or not, is one of that type. */
export function asImportedType(machine: Machine, value: Value, type: ts.TypeNode | undefined): Value {
  if (type === undefined || !value.alternatives.some(({ kind }) => kind === 'opaque' || kind === 'promise')) {
    return value;
  }
  const library = libraryOfType(machine, withoutEmpty(type));
  return library === null ? value : fromLibrary(value, library);
}

function libraryOfType(machine: Machine, type: ts.TypeNode): LibraryOrigin | null {
  if (ts.isImportTypeNode(type) && type.isTypeOf && ts.isLiteralTypeNode(type.argument)) {
    const { literal } = type.argument;
    const module = ts.isStringLiteral(literal) && type.qualifier === undefined ? literal.text : null;
    return module === null ? null : machine.libraries.ofExternal(external(module, '', null));
  }
  const name = ts.isTypeReferenceNode(type) ? importedTypeName(machine, type.typeName) : null;
  return name === null ? null : machine.libraries.ofType(name.module, name.path);
}

/** `Client` of `Client | null`, and of `Promise<Client | undefined>`; a type that leaves a choice stays as it is. */
function withoutEmpty(type: ts.TypeNode): ts.TypeNode {
  if (ts.isUnionTypeNode(type)) {
    const [only, ...more] = type.types.filter((one) => !isEmptyType(one));
    return only === undefined || more.length > 0 ? type : withoutEmpty(only);
  }
  const [inner] = ts.isTypeReferenceNode(type) ? (type.typeArguments ?? []) : [];
  const isPromise =
    ts.isTypeReferenceNode(type) && ts.isIdentifier(type.typeName) && type.typeName.text === 'Promise';
  return isPromise && inner !== undefined ? withoutEmpty(inner) : type;
}

function isEmptyType(type: ts.TypeNode): boolean {
  return (
    type.kind === ts.SyntaxKind.UndefinedKeyword ||
    (ts.isLiteralTypeNode(type) && type.literal.kind === ts.SyntaxKind.NullKeyword)
  );
}

/** `Page`, or `playwright.Page` of a namespace that is imported whole. */
function importedTypeName(machine: Machine, name: ts.EntityName): ExternalName | null {
  if (ts.isIdentifier(name)) {
    return machine.queries.importedAs(name);
  }
  const known = machine.queries.importedAs(name.right);
  const whole = known === null && ts.isIdentifier(name.left) ? machine.queries.importedAs(name.left) : null;
  return whole !== null && (whole.path === '' || whole.path === 'default')
    ? { module: whole.module, path: name.right.text }
    : known;
}

/** A value that a library gave remembers which. */
export function fromLibrary(value: Value, library: LibraryOrigin): Value {
  return map(value, (one) => {
    if (one.kind === 'opaque') {
      return one.library === null ? { ...one, library } : one;
    }
    if (one.kind === 'promise') {
      const inner = fromLibrary(one.value, library);
      return inner === one.value ? one : { ...one, value: inner };
    }
    return one;
  });
}

/** The argument that calling the answer calls, `promisify(exec)`; null where the answer is a value of its own. */
export function returnedArgument(machine: Machine, origin: LibraryOrigin, site: CallSite): Value | null {
  const entry =
    origin.value === null ? null : machine.libraries.catalogue.entryOf(origin.value, site.args.length);
  const index = entry?.returnsArgument ?? null;
  const value = index === null ? undefined : site.args[index];
  return value ?? null;
}

export function lastName(path: string): string {
  return path.split('.').at(-1) ?? '';
}

function nameAt(node: ts.Node): string | null {
  const callee = ts.isCallExpression(node) || ts.isNewExpression(node) ? node.expression : null;
  if (callee === null) {
    return null;
  }
  if (ts.isPropertyAccessExpression(callee)) {
    return callee.name.text;
  }
  return ts.isIdentifier(callee) ? callee.text : null;
}
