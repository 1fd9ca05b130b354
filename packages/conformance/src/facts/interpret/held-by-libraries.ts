import { ts } from '../../../engine/typescript.mjs';
import { HeldCode, type HeldFunction } from '../values/held-code.js';
import { join, map } from '../values/join.js';
import { one as single, UNDEFINED } from '../values/make.js';
import type {
  Alternative,
  CallSite,
  FunctionValue,
  NativeFunction,
  OpaqueValue,
  Point,
  Value,
} from '../values/value.js';
import { plainModule } from '../queries/external-names.js';
import { typeName } from '../queries/type-name.js';
import { callMethod, methodOf } from './implicit-calls.js';
import { INSPECTION } from './member-keys.js';
import { memberName } from './class-members.js';
import { CHANNEL, CONTAINERS, isHooking, LISTENING, QUIET, SERVING, STREAMS, TELLING } from './held-names.js';
import type { Machine } from './machine.js';
import { alwaysWrites, callOutside } from './outside-callbacks.js';

// Functions that were handed to a library outside of tools, and that it runs when a tool uses what it made
// of them: listeners, callbacks of schemas, interceptors, functions of a database.

const DEEPEST = 3;

function isServing(module: string, { callee, self }: CallSite): boolean {
  return (
    SERVING.test(module) &&
    ![...callee.alternatives, ...self.alternatives].some((one) => CHANNEL.test(pathOf(one)))
  );
}

function pathOf(one: Alternative): string {
  return one.kind === 'external'
    ? one.path
    : one.kind === 'opaque'
      ? (one.library?.path.join('.') ?? typeName(one.type))
      : '';
}

export class HeldByLibraries {
  readonly #byPlace = new Map<ts.Node | string, HeldCode>();
  /** How often something came to hold more: what was answered before may not be answered again. */
  changes = 0;
  /** What is being run: it runs itself no further. */
  readonly running = new Set<ts.Node>();
  /** Whether there is any value that runs code when it is touched. */
  hasTouchy = false;

  at(place: ts.Node | string): HeldCode {
    let held = this.#byPlace.get(place);
    if (held === undefined) {
      held = new HeldCode();
      this.#byPlace.set(place, held);
    }
    return held;
  }

  known(place: ts.Node | string): HeldCode | null {
    return this.#byPlace.get(place) ?? null;
  }

  add(to: HeldCode, held: HeldFunction): void {
    this.changes += to.add(held) ? 1 : 0;
  }

  include(to: HeldCode, part: HeldCode): void {
    this.changes += to.include(part) ? 1 : 0;
  }

  /** A value that runs some functions whenever it is touched. */
  touchy(place: ts.Node, functions: readonly FunctionValue[]): HeldCode {
    const held = this.at(place);
    held.isTouchy = true;
    this.hasTouchy = true;
    functions.forEach((code) => {
      this.add(held, { code, event: null });
    });
    return held;
  }
}

/** What a value holds, and what it was read from. */
export function heldBy(machine: Machine, value: Value, depth = 0): readonly HeldCode[] {
  return value.alternatives.flatMap((one): readonly HeldCode[] => {
    if (one.kind === 'opaque') {
      const shared = depth === 0 ? sharedBy(machine, one) : [];
      const own =
        one.held !== null
          ? [one.held]
          : one.receiver === null || depth > DEEPEST
            ? []
            : heldBy(machine, one.receiver, depth + 1);
      return shared.length === 0 ? own : [...own, ...shared];
    }
    const place =
      one.kind === 'object' ? one.place : one.kind === 'external' ? rootOf(one.module, one.path) : null;
    const known = place === null ? null : machine.held.known(place);
    return known === null ? [] : [known];
  });
}

/** Channels of one name are one channel, wherever they are made; what goes in at one port comes out at the other. */
function sharedBy(machine: Machine, one: OpaqueValue): readonly HeldCode[] {
  const place = one.library?.module.endsWith(DIAGNOSTICS) === true ? DIAGNOSTICS : channelIn(pathOf(one));
  return place === null ? [] : [machine.held.at(place)];
}

const DIAGNOSTICS = 'diagnostics_channel';

function channelIn(path: string): string | null {
  const [found] = CHANNEL.exec(path) ?? [];
  return found === undefined ? null : found.startsWith('Message') ? 'MessagePort' : found;
}

function rootOf(module: string, path: string): string {
  const root = path.replace(/^globalThis\./u, '').split('.')[0] ?? '';
  const inNode = module === '@types/node' ? /^"(?:node:)?([^"]+)"/u.exec(path)?.[1] : undefined;
  return module === '' ? root : (inNode ?? plainModule(module));
}

/** Notes what a call gives to a library, or, where a tool runs, runs what the library holds already. */
export function handed(machine: Machine, site: CallSite, name: string, module: string, isNew: boolean): void {
  if (isServing(module, site)) {
    return;
  }
  if (machine.effects.isWatching) {
    runHeld(machine, site, name, module);
    show(machine, site);
  } else if (!isNew && (LISTENING.has(name) || isHooking(name))) {
    keep(machine, site, name, module);
  }
}

function keep(machine: Machine, site: CallSite, name: string, module: string): void {
  const [first] = site.args[0]?.alternatives ?? [];
  const isNamed = LISTENING.has(name);
  const event = isNamed ? (first?.kind === 'literal' ? String(first.value) : ANY_EVENT) : null;
  for (const holder of receiversOf(machine, site)) {
    for (const { code, held } of codeGiven(machine, site, module)) {
      if (code !== null) {
        machine.held.add(holder, { code, event });
      } else if (held !== null && isNamed) {
        // What waits for an event does not run with whatever else is done there.
        held.all().forEach((one) => {
          machine.held.add(holder, { ...one, event });
        });
      } else if (held !== null) {
        machine.held.include(holder, held);
      }
    }
  }
}

/** A container of dependencies hands on what it got, which somebody else runs; itself it runs what makes things. */
function codeGiven(machine: Machine, { args, at, node }: CallSite, module: string): readonly Code[] {
  if (!CONTAINERS.test(module)) {
    return codeIn(machine, args, at);
  }
  const makers = args.map(({ alternatives }) =>
    join(
      ...alternatives.map((one) =>
        one.kind === 'object' ? machine.readProperty(single(one), 'useFactory', at, node) : single(one),
      ),
    ),
  );
  return codeIn(machine, makers, at);
}

const ANY_EVENT = '*';

function receiversOf(machine: Machine, site: CallSite): readonly HeldCode[] {
  const known = heldBy(machine, site.self);
  if (known.length > 0) {
    return known;
  }
  return [site.self, site.callee].flatMap(({ alternatives }) =>
    alternatives.flatMap((one) =>
      one.kind === 'object'
        ? [machine.held.at(one.place)]
        : one.kind === 'external'
          ? [machine.held.at(rootOf(one.module, one.path))]
          : [],
    ),
  );
}

/** What a call answers holds what it was given, and what it was called on. */
export function withHeld(machine: Machine, site: CallSite, answer: Value): Value {
  if (!answer.alternatives.some(({ kind }) => kind === 'opaque' || kind === 'promise')) {
    return answer;
  }
  if (isServing(moduleOf(site), site)) {
    return answer;
  }
  const isWatching = machine.effects.isWatching;
  const given = codeIn(machine, site.args, site.at).filter(({ held }) => !isWatching || held !== null);
  const receivers = site.self.alternatives.some(({ kind }) => kind === 'opaque')
    ? heldBy(machine, site.self)
    : [];
  const [receiver] = receivers;
  if (given.length === 0 && (receiver !== undefined || isWatching || !isKept(site.node))) {
    return receiver === undefined ? answer : holding(answer, receiver);
  }
  const own = machine.held.at(site.node);
  receivers.forEach((one) => {
    machine.held.include(own, one);
  });
  for (const { code, held } of given) {
    if (held !== null) {
      machine.held.include(own, held);
    } else if (code !== null) {
      machine.held.add(own, { code, event: null });
    }
  }
  return holding(answer, own);
}

/** The module of what is called. */
function moduleOf(site: CallSite): string {
  for (const one of [...site.callee.alternatives, ...site.self.alternatives]) {
    const module =
      one.kind === 'external' ? one.module : one.kind === 'opaque' ? one.library?.module : undefined;
    if (module !== undefined && module !== '') {
      return module;
    }
  }
  return '';
}

/** What is only printed is not used. */
function isPrinting(site: CallSite): boolean {
  return site.callee.alternatives.every(
    (one) => one.kind === 'external' && /^(?:globalThis\.)?console\./u.test(one.path),
  );
}

/** Whether the answer of a call stays: in a variable, a property, an argument. */
function isKept(node: ts.Node): boolean {
  return !ts.isExpressionStatement(node.parent);
}

export function holding(value: Value, held: HeldCode): Value {
  return map(value, (one) => {
    if (one.kind === 'opaque') {
      return one.held === held ? one : { ...one, held };
    }
    if (one.kind === 'promise') {
      const inner = holding(one.value, held);
      return inner === one.value ? one : { ...one, value: inner };
    }
    return one;
  });
}

type Kept = HeldFunction['code'];

interface Code {
  readonly code: Kept | null;
  readonly held: HeldCode | null;
  /** Given by itself, not as a member of an object. */
  readonly isDirect: boolean;
}

function codeIn(machine: Machine, values: readonly Value[], at: Point, depth = 0): readonly Code[] {
  const found: Code[] = [];
  for (const { alternatives } of values) {
    for (const one of alternatives) {
      if (one.kind === 'function' || isBound(one) || alwaysWrites(machine, one)) {
        found.push({ code: one, held: null, isDirect: depth === 0 });
      } else if (one.kind === 'opaque') {
        found.push(
          ...heldBy(machine, { alternatives: [one] }).map((held) => ({ code: null, held, isDirect: false })),
        );
      } else if (one.kind === 'object') {
        found.push(...codeOfObject(machine, one, at, depth));
      }
    }
  }
  return found;
}

/** `unlink.bind(null, path)`; what else the analysis itself provides does nothing outside. */
function isBound(one: Alternative): one is NativeFunction {
  return one.kind === 'native' && one.key.startsWith('bind ');
}

function functionsOf(found: readonly Code[]): readonly Kept[] {
  return found.flatMap(({ code, held }) =>
    code !== null ? [code] : (held?.all().map((one) => one.code) ?? []),
  );
}

function codeOfObject(
  machine: Machine,
  object: Extract<Alternative, { kind: 'object' }>,
  at: Point,
  depth: number,
): readonly Code[] {
  if (object.of !== null) {
    return overridesOf(machine, object).map((code) => ({ code, held: null, isDirect: false }));
  }
  if (depth >= DEEPEST) {
    return [];
  }
  const isData = object.collection === null || object.collection === 'array';
  return isData ? codeIn(machine, [...machine.propertiesOf(object, at).values()], at, depth + 1) : [];
}

/** The methods of a class of one's own that the library calls: those that a base class of it asks for. */
export function overridesOf(
  machine: Machine,
  object: Extract<Alternative, { kind: 'object' }>,
): readonly FunctionValue[] {
  const { of } = object;
  const base = of === null ? null : machine.queries.baseClassOf(of.node);
  if (of === null || base === null) {
    return [];
  }
  return of.node.members.flatMap((member): readonly FunctionValue[] => {
    const name = ts.isMethodDeclaration(member) && member.body !== undefined ? memberName(member) : null;
    return name !== null &&
      ts.isMethodDeclaration(member) &&
      (/^_[a-z]/u.test(name) || isOfLanguage(base, name))
      ? [
          {
            kind: 'function',
            node: member,
            frame: of.frame,
            self: { alternatives: [object] },
            bound: [],
            references: new Set(),
            when: object.when,
          },
        ]
      : [];
  });
}

/** `bus.onmessage = …`: a listener that is put into a property. */
export function keepProperty(machine: Machine, of: Value, name: string, value: Value, at: Point): void {
  if (machine.effects.isWatching && /^on[a-z]/u.test(name) && of.alternatives.some(isOfLibrary)) {
    const node = at.frame.node;
    for (const one of value.alternatives) {
      if (one.kind === 'function') {
        const site = { node, self: UNDEFINED, callee: UNDEFINED, args: [], spread: null, at };
        machine.callBack(one, site, null, { isKept: true });
      }
    }
  }
  for (const holder of heldBy(machine, of)) {
    for (const one of value.alternatives) {
      if (one.kind === 'function') {
        machine.held.add(holder, { code: one, event: name.startsWith('on') ? ANY_EVENT : null });
      }
    }
  }
}

function isOfLibrary(one: Alternative): boolean {
  return one.kind === 'external' || (one.kind === 'opaque' && one.library !== null);
}

/** Runs whatever code is in a value: what checks a tool's input runs before the tool. */
export function runCodeIn(machine: Machine, value: Value, site: CallSite): void {
  const code = codeIn(machine, [value], site.at);
  runAll(machine, site, functionsOf(code));
}

/** Methods by which an object says how it is shown. */
const SHOWING = [INSPECTION, 'toJSON', 'toString', '@@toPrimitive'];

/** What a library is given it may print, or turn into JSON. */
function show(machine: Machine, site: CallSite): void {
  for (const { alternatives } of site.args) {
    for (const one of alternatives) {
      if (one.kind !== 'object' || one.collection !== null) {
        continue;
      }
      for (const name of SHOWING) {
        const method = methodOf(machine, one, name, site.at, site.node);
        if (method !== null) {
          callMethod(machine, method, one, [], { at: site.at, node: site.node });
        }
      }
    }
  }
}

/** Whether a class of the language, which a class extends, has a member of a name: its other members call it. */
function isOfLanguage(base: ts.Expression, name: string): boolean {
  const of: unknown = ts.isIdentifier(base) ? Reflect.get(globalThis, base.text) : undefined;
  return typeof of === 'function' && name !== 'constructor' && Reflect.has(of.prototype as object, name);
}

/** Runs what a library holds that a tool uses. */
function runHeld(machine: Machine, site: CallSite, name: string, module: string): void {
  if (QUIET.test(name) || LISTENING.has(name)) {
    return;
  }
  const [first] = site.args[0]?.alternatives ?? [];
  const told = TELLING.has(name)
    ? first?.kind === 'literal'
      ? String(first.value)
      : ANY_EVENT
    : STREAMS.test(module)
      ? ANY_EVENT
      : // `abort()` is told to those who listen for `abort`.
        name;
  const receivers = heldBy(machine, {
    alternatives: [...site.self.alternatives, ...site.callee.alternatives],
  }).flatMap((held) =>
    held
      .all()
      .filter(({ event }) => event === null || isTold(event, told, told === ANY_EVENT || TELLING.has(name))),
  );
  const given = isPrinting(site)
    ? []
    : codeIn(machine, site.args, site.at).filter(({ isDirect }) => !isDirect);
  const own = site.self.alternatives.flatMap((one) =>
    one.kind === 'object' ? overridesOf(machine, one) : [],
  );
  runAll(machine, site, [...receivers.map(({ code }) => code), ...functionsOf(given), ...own]);
}

function isTold(event: string, told: string, isTelling: boolean): boolean {
  return event === told || (isTelling && (told === ANY_EVENT || event === ANY_EVENT));
}

/** Runs functions with arguments that nobody says, as code that is not here may. */
export function runAll(machine: Machine, site: CallSite, functions: readonly Kept[]): void {
  for (const code of new Set(functions)) {
    if (code.kind !== 'function') {
      callOutside(machine, code, site);
      continue;
    }
    if (machine.held.running.has(code.node)) {
      continue;
    }
    machine.held.running.add(code.node);
    const answer = machine.callBack(code, { ...site, self: UNDEFINED }, null, { isHeld: true });
    // What it makes for the library, the library calls.
    for (const made of answer.alternatives) {
      if (made.kind === 'function') {
        machine.callBack(made, { ...site, self: UNDEFINED }, null, { isHeld: true });
      }
    }
    machine.held.running.delete(code.node);
  }
}
