import { SDK_MODULE } from '@toolwright/sdk/contract-names';
import { ts } from '../../../engine/typescript.mjs';
import { intrinsicFor, isPure } from '../intrinsics/registry.js';
import { both } from '../values/guard.js';
import { join, map, referencesIn, under } from '../values/join.js';
import { NEVER, one, opaque, promise, UNDEFINED, unknownValue } from '../values/make.js';
import { NO_REFERENCES, reference, union, WHOLE, type References } from '../values/references.js';
import {
  FROM_ARGUMENTS,
  FROM_CALL,
  FROM_ELSEWHERE,
  type Alternative,
  type CallSite,
  type ExternalValue,
  type FunctionValue,
  type ObjectValue,
  type OpaqueValue,
  type Value,
} from '../values/value.js';
import type { Answer } from '../queries/type-queries.js';
import type { LibraryOrigin } from '../values/library.js';
import { inFork } from './forks.js';
import {
  argumentsFor,
  calledOpaque,
  contentCalled,
  fromLibrary,
  lastName,
  outside,
  returnedArgument,
} from './outside-calls.js';
import { withHeld } from './held-by-libraries.js';
import { coerce } from './implicit-calls.js';
import { runImplementing } from './implementing-code.js';
import { awaited } from './loops.js';
import type { Machine } from './machine.js';
import { originsOf } from './operators.js';
import { callHanded } from './outside-callbacks.js';
import { hiddenBehind } from './hidden-code.js';
import { sumIn } from '../intrinsics/derive.js';
import { memberOf } from '../queries/member-of.js';
import { borrowedCall, borrowedMember } from './borrowed-calls.js';
import { isFreshValue } from '../intrinsics/fresh-values.js';

/** Calls whatever the callee can be; the paths through each meet afterwards. */
export function call(machine: Machine, site: CallSite): Value {
  machine.mayThrow(site.at);
  const { alternatives } = site.callee;
  const [only] = alternatives;
  if (only === undefined) {
    machine.effects.unknown(site.node, `nothing is known of \`${calleeText(site.node)}\``, site.at);
    return NEVER;
  }
  if (alternatives.length === 1) {
    return callOne(machine, only, site);
  }
  const base = site.at.state;
  const values: Value[] = [];
  const forks = alternatives.map((alternative) => {
    const fork = base.fork();
    const guard = both(fork.guard, alternative.when);
    if (guard === null) {
      fork.isDead = true;
      return fork;
    }
    fork.guard = guard;
    inFork(site.at, fork, () => {
      const answer = callOne(machine, alternative, { ...site, callee: one(alternative) });
      values.push(fork.isDead ? NEVER : under(answer, alternative.when));
    });
    return fork;
  });
  base.absorb(forks.map((fork) => fork.asBranchOf(base)));
  return join(...values);
}

function callOne(machine: Machine, callee: Alternative, site: CallSite): Value {
  switch (callee.kind) {
    case 'function':
      return machine.invoke(callee, site);
    case 'native':
      return callee.call(site);
    case 'external':
      return withHeld(machine, site, callExternal(machine, callee, site));
    case 'opaque':
      return sayingAsMuch(callee, withHeld(machine, site, callOpaque(machine, callee, site)));
    case 'literal':
      // Calling undefined throws: nothing is answered on this path.
      if (callee.value === undefined || callee.value === null) {
        if (site.callee.alternatives.length === 1) {
          const why = `\`${calleeText(site.node)}\` is set by code that was not seen to run`;
          machine.effects.unknown(site.node, why, site.at);
        }
        site.at.state.isDead = true;
        return NEVER;
      }
      machine.effects.unknown(site.node, 'what is called is no function', site.at);
      return unresolved(machine, site, 'what is called is no function');
    default:
      machine.effects.unknown(site.node, 'what is called is not known to be a function', site.at);
      return unresolved(machine, site, 'what is called is not known to be a function');
  }
}

/** Methods of a text that leave in it what it says. */
const SAYING =
  /^(?:trim(?:Start|End)?|to(?:Lower|Upper)Case|toString|valueOf|normalize|concat|pad(?:Start|End)|slice|substring)$/u;

/** What the model says is still what the model says when it is trimmed. */
function sayingAsMuch(callee: OpaqueValue, answer: Value): Value {
  const receiver = callee.receiver?.alternatives[0];
  const name = lastName(callee.description);
  if (receiver?.kind !== 'opaque' || (receiver.origin & FROM_ARGUMENTS) === 0 || !SAYING.test(name)) {
    return answer;
  }
  const { description } = receiver;
  return map(answer, (inner) =>
    inner.kind === 'opaque' && inner.text === null ? { ...inner, description } : inner,
  );
}

/**
 * An object or a list that holds results and is handed to code that is not here: that code may put other
 * ones into it.
 */
function blurHolders(machine: Machine, site: CallSite, answer: Answer | null): void {
  if (site.callee.alternatives.every((callee) => onlyReads(machine, callee))) {
    return;
  }
  const given = [...site.args, ...(site.spread === null ? [] : [site.spread])];
  for (const [index, argument] of given.entries()) {
    const parameter = answer?.parameters[index];
    if (parameter !== undefined && machine.queries.isReadonly(machine.queries.typeOfSymbol(parameter))) {
      continue;
    }
    for (const one of argument.alternatives) {
      if (one.kind === 'object' && holdsResult(machine, one, site, 0)) {
        const why = `\`${calleeText(site.node)}\` was given it and may have changed it`;
        machine.blur({ alternatives: [one] }, unknownValue(why, site.node), site.at);
      }
    }
  }
}

/** The console, and what the SDK gives a tool: its logger and its content handler change no argument. */
function onlyReads(machine: Machine, callee: Alternative): boolean {
  if (callee.kind === 'external') {
    return /^(?:globalThis\.)?console\./u.test(callee.path) || callee.module === SDK_MODULE;
  }
  const declaration = callee.kind === 'opaque' ? callee.symbol?.declarations?.[0] : undefined;
  if (declaration === undefined || !ts.isInterfaceDeclaration(declaration.parent)) {
    return false;
  }
  const owner = machine.queries.symbolOfDeclaration(declaration.parent);
  return owner !== null && machine.queries.sdkNameOf(owner) !== null;
}

const DEEPEST_HOLDER = 2;

function holdsResult(machine: Machine, of: ObjectValue, site: CallSite, depth: number): boolean {
  const others = machine.othersOf(of, site.at);
  return [...machine.propertiesOf(of, site.at).values(), ...(others === null ? [] : [others])].some((value) =>
    value.alternatives.some(
      (one) =>
        one.kind === 'result' ||
        one.kind === 'target' ||
        (one.kind === 'object' && depth < DEEPEST_HOLDER && holdsResult(machine, one, site, depth + 1)),
    ),
  );
}

const MOST_TEXT = 80;
const CALLEE_TEXTS = new WeakMap<ts.Node, string>();

/** The callee as the source has it, cut short. */
export function calleeText(node: ts.Node): string {
  let text = CALLEE_TEXTS.get(node);
  if (text === undefined) {
    text = writtenCallee(node);
    CALLEE_TEXTS.set(node, text);
  }
  return text;
}

function writtenCallee(node: ts.Node): string {
  const callee = ts.isCallExpression(node) || ts.isNewExpression(node) ? node.expression : node;
  // Of a function its head says which it is; its body does not belong into a message.
  const body = ts.isFunctionLike(callee) && 'body' in callee ? callee.body : undefined;
  const text = callee
    .getText()
    .slice(0, body === undefined ? undefined : body.getStart() - callee.getStart())
    .replace(/\s+/gu, ' ')
    .trim();
  return text.length > MOST_TEXT ? `${text.slice(0, MOST_TEXT - 1)}…` : text;
}

export function unresolved(
  machine: Machine,
  site: CallSite,
  why: string,
  origin: LibraryOrigin | null = null,
): Value {
  runCallbacks(machine, site, null, origin);
  blurHolders(machine, site, null);
  const reason = `${why}: \`${calleeText(site.node)}\``;
  return opaque({
    origin: FROM_CALL,
    unknown: reason,
    description: reason,
    place: site.node,
    references: givenReferences(site),
    library: origin === null ? null : machine.libraries.called(origin, () => argumentsFor(machine, site)),
  });
}

function callExternal(machine: Machine, callee: ExternalValue, site: CallSite): Value {
  const intrinsic = intrinsicFor(callee);
  if (intrinsic !== null) {
    return intrinsic(machine, site, callee);
  }
  const borrowed = borrowedCall(machine, callee, site);
  if (borrowed !== null) {
    return borrowed;
  }
  const origin = machine.libraries.ofExternal(callee);
  outside(machine, site, { origin, receiver: null, name: lastName(callee.path), from: 0 });
  const hidden = hiddenBehind(callee);
  if (hidden !== null) {
    machine.effects.unknown(site.node, `its code stands in \`${hidden}\`, behind a declaration`, site.at);
  }
  const handedOn = returnedArgument(machine, origin, site);
  if (handedOn !== null) {
    return handedOn;
  }
  const result = machine.libraries.called(origin, () => argumentsFor(machine, site));
  if (isFreshValue(callee)) {
    return opaque({
      origin: FROM_ELSEWHERE,
      description: `the answer of \`${calleeText(site.node)}\``,
      library: result,
    });
  }
  const answer = answerOfExternal(machine, callee, site);
  if (isPure(callee)) {
    const given = [...site.args, ...(site.spread === null ? [] : [site.spread])];
    runCallbacks(machine, site, answer, origin);
    given.forEach((value) => {
      coerce(machine, value, callee.path === 'String' ? 'text' : 'number', site.at, site.node);
    });
    return opaque({
      ...originsOf(given),
      references: givenReferences(site),
      library: result,
      text: sumIn(given),
    });
  }
  return answer === null
    ? unresolved(machine, site, 'the code of this call is not here', origin)
    : fromLibrary(answered(machine, site, answer, null, origin), result);
}

function answerOfExternal(machine: Machine, callee: ExternalValue, site: CallSite): Answer | null {
  const { queries } = machine;
  if (callee.symbol === null) {
    return null;
  }
  const symbol = memberOf(queries, callee.symbol, callee.members);
  return symbol === null ? null : queries.answerOfType(queries.typeOfSymbol(symbol), site.args.length);
}

function callOpaque(machine: Machine, callee: OpaqueValue, site: CallSite): Value {
  const { queries } = machine;
  const lent = borrowedMember(machine, callee, site);
  if (lent !== null) {
    return lent;
  }
  const answer =
    callee.type !== null
      ? queries.answerOfType(callee.type, site.args.length)
      : callee.symbol !== null
        ? queries.answerOfType(queries.typeOfSymbol(callee.symbol), site.args.length)
        : null;
  const content = contentMethod(machine, callee, site);
  if (content !== null) {
    return content;
  }
  runImplementing(machine, callee, site);
  const called = calledOpaque(machine, callee, site);
  outside(machine, site, called);
  const { origin: library } = called;
  const handedOn = library === null ? null : returnedArgument(machine, library, site);
  if (handedOn !== null) {
    return handedOn;
  }
  if (answer !== null) {
    const value = answered(machine, site, answer, callee, library);
    return library === null
      ? value
      : fromLibrary(
          value,
          machine.libraries.called(library, () => argumentsFor(machine, site)),
        );
  }
  // A method of the input's data (`input.title.trim()`) is a derivation of it.
  const receiver = callee.receiver?.alternatives[0];
  if (callee.unknown === '' && receiver?.kind === 'opaque' && receiver.origin !== 0) {
    runCallbacks(machine, site, null, library);
    const { origin, description } = originsOf([...site.args, one(receiver)]);
    return opaque({ origin, description, references: givenReferences(site), place: site.node });
  }
  return unresolved(machine, site, 'the code of this call is not here', library);
}

/** The content handler's writes and reads: what they answer names the record by what was asked for. */
function contentMethod(machine: Machine, callee: OpaqueValue, site: CallSite): Value | null {
  const declaration = callee.symbol?.declarations?.[0];
  const parent = declaration?.parent;
  if (parent === undefined || !ts.isInterfaceDeclaration(parent) || callee.symbol === null) {
    return null;
  }
  const owner = machine.queries.symbolOfDeclaration(parent);
  const name = owner === null ? null : machine.queries.sdkNameOf(owner);
  if (name !== 'ContentWriter' && name !== 'ContentReader') {
    return null;
  }
  contentCalled(machine, site, callee.symbol.name);
  return machine.contentAnswer(callee.symbol.name, site);
}

/** What a call to code without a body answers: by its declaration, and by what it hands through. */
export function answered(
  machine: Machine,
  site: CallSite,
  answer: Answer,
  callee: OpaqueValue | null,
  library: LibraryOrigin | null = null,
): Value {
  const callbacks = runCallbacks(machine, site, answer, library);
  blurHolders(machine, site, answer);
  const references = union(givenReferences(site), callee === null ? NO_REFERENCES : callee.references);
  const text = calleeText(site.node);
  const flowing = answer.flows.map(({ parameter, through, isPromise }): Value => {
    const argument = site.args[parameter];
    const value =
      argument === undefined
        ? NEVER
        : through === 'value'
          ? argument
          : through === 'elements'
            ? machine.elementsOf(argument, site.at, site.node)
            : (callbacks.get(parameter) ?? NEVER);
    return isPromise ? promise(awaited(value)) : value;
  });
  const flowed = join(...flowing);
  if (flowed.alternatives.length > 0) {
    return flowed;
  }
  const origin = callee !== null && callee.origin !== 0 ? callee.origin : FROM_CALL;
  const value = machine.typed(givenType(machine, site, answer.type), {
    place: site.node,
    tag: `call ${String(machine.numberAt(site.node))}`,
    at: site.at,
    origin,
    description: `the answer of \`${text}\``,
    why: `the code of \`${text}\` is not here`,
    references,
  });
  if (value.alternatives.length === 0) {
    site.at.state.isDead = true;
  }
  return value;
}

/** What a container or a registry gives is what it is asked for: `container.get<Store>('Store')`. */
function givenType(machine: Machine, site: CallSite, type: ts.Type): ts.Type {
  const parts = type.isUnion() ? type.types : [type];
  const isAsked =
    machine.effects.isWatching &&
    ts.isCallExpression(site.node) &&
    parts.some(({ flags }) => (flags & ts.TypeFlags.TypeParameter) !== 0);
  const given = isAsked ? machine.queries.typeOfNode(site.node) : null;
  return given === null || machine.queries.shapeOf(given).isOpen ? type : given;
}

/** What the arguments (and the receiver) of a call derive from; a preserved value handed over counts as a whole. */
export function givenReferences(site: CallSite): References {
  const given = [site.self, ...site.args, ...(site.spread === null ? [] : [site.spread])];
  return given.reduce((all, value) => union(all, union(referencesIn(value), wholes(value))), NO_REFERENCES);
}

export function wholes(value: Value): References {
  const ids = new Set<string>();
  for (const alternative of value.alternatives) {
    if (
      alternative.kind === 'result' ||
      alternative.kind === 'target' ||
      ((alternative.kind === 'opaque' || alternative.kind === 'object') && alternative.preserved !== null)
    ) {
      ids.add(reference(alternative.id, WHOLE));
    }
  }
  return ids;
}

/** A promise's own `resolve` that is handed to code that is not here may be called with anything. */
function handNatives(machine: Machine, argument: Value, site: CallSite): void {
  for (const alternative of argument.alternatives) {
    if (alternative.kind === 'native') {
      const given = unknownValue(`what \`${calleeText(site.node)}\` calls it with is not known`, site.node);
      alternative.call({ ...site, self: UNDEFINED, callee: one(alternative), args: [given], spread: null });
    }
  }
}

/**
 * Functions that are handed to code that is not here may be called by it, any number of times. Their
 * answers, by argument.
 */
function runCallbacks(
  machine: Machine,
  site: CallSite,
  answer: Answer | null,
  origin: LibraryOrigin | null,
): ReadonlyMap<number, Value> {
  const answers = new Map<number, Value>();
  for (const [index, argument] of site.args.entries()) {
    handNatives(machine, argument, site);
    argument.alternatives.forEach((one) => {
      callHanded(machine, one, index, site);
    });
    const callbacks = argument.alternatives.filter((one): one is FunctionValue => one.kind === 'function');
    if (callbacks.length === 0) {
      continue;
    }
    const parameter = answer?.parameters[index];
    const passed = origin === null ? null : machine.libraries.passed(origin);
    const isKept = !ts.isAwaitExpression(site.node.parent);
    const values = callbacks.map((callback) =>
      machine.callBack(callback, site, parameter ?? null, { passed, isKept }),
    );
    answers.set(index, join(...values));
  }
  return answers;
}
