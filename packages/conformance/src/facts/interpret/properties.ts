import { ts } from '../../../engine/typescript.mjs';
import { arrayMethod, collectionMethod, isCallbackMethod } from '../intrinsics/collections.js';
import { answersPreserved } from '../queries/preserved-answer.js';
import { joinMethod } from '../intrinsics/joined-lists.js';
import { functionMethod } from '../intrinsics/functions.js';
import { promiseMethod } from '../intrinsics/promises.js';
import { resultMethod } from '../intrinsics/sdk-results.js';
import { derived } from '../intrinsics/derive.js';
import { EMPTY, PRESENT, both, type Guard } from '../values/guard.js';
import { deriving, join, map } from '../values/join.js';
import {
  FALSE,
  NEVER,
  TRUE,
  UNDEFINED,
  external,
  literal,
  native,
  one,
  opaque,
  opaqueAlternative,
} from '../values/make.js';
import { WHOLE, parseReference, reference, union } from '../values/references.js';
import { FAILED, shapeOf } from '../values/result-kinds.js';
import type {
  Alternative,
  FunctionValue,
  ObjectValue,
  OpaqueValue,
  Point,
  ResultValue,
  TargetValue,
  Value,
} from '../values/value.js';
import type { LibraryOrigin } from '../values/library.js';
import { readMember } from './class-members.js';
import { coerceElements } from './implicit-calls.js';
import { fromLibrary, isContext } from './outside-calls.js';
import { defineAccessor } from './put-property.js';
import type { Machine } from './machine.js';
import { readSymbol } from './names.js';
import { touch } from './touchy-values.js';
import { originsOf } from './operators.js';
import { preservedField } from './typed-values.js';

/** `value.name`, for everything that the value can be. */
export function readProperty(machine: Machine, of: Value, name: string, at: Point, node: ts.Node): Value {
  const values = of.alternatives.map((alternative) => {
    const value = readFrom(machine, alternative, name, at, node);
    return alternative.when.size === 0 ? value : carrying(value, alternative.when);
  });
  const value = values.length === 1 ? (values[0] ?? NEVER) : join(...values);
  touch(machine, value, at, node);
  return value;
}

function carrying(value: Value, when: Guard): Value {
  return {
    alternatives: value.alternatives.flatMap((one) => {
      const together = both(one.when, when);
      return together === null ? [] : [{ ...one, when: together }];
    }),
  };
}

function readFrom(machine: Machine, of: Alternative, name: string, at: Point, node: ts.Node): Value {
  switch (of.kind) {
    case 'literal':
      return of.value === null || of.value === undefined
        ? NEVER
        : name === 'length' || of.references.size > 0 || typeof of.value === 'string'
          ? derived(one(of), name)
          : opaque({ description: `a member of a constant`, references: of.references });
    case 'opaque':
      return readOpaque(machine, of, name, at, node);
    case 'result':
      return readResult(machine, of, name);
    case 'target':
      return readTarget(of, name);
    case 'object':
      return readObject(machine, of, name, at, node);
    case 'promise':
      return promiseMethod(machine, of, name) ?? UNDEFINED;
    case 'function':
      return (
        machine.assignedTo(of, name, at) ?? functionMethod(machine, of, name) ?? blurred(machine, of, at)
      );
    case 'native':
      return functionMethod(machine, of, name) ?? UNDEFINED;
    case 'class': {
      const member = readMember(machine, of, name, { isStatic: true, self: one(of), at, node });
      const value = machine.assignedTo(of, name, at) ?? member;
      const blur = machine.blurOf(of, at);
      return blur === null ? (value ?? UNDEFINED) : join(value ?? UNDEFINED, blur);
    }
    case 'module':
      return readExport(machine, of.symbol, name, at);
    case 'external': {
      const path = of.path === '' ? name : `${of.path}.${name}`;
      return one({
        ...external(of.module, path, of.symbol, [...of.members, name]),
        ...(of.importedAs === undefined ? {} : { importedAs: of.importedAs }),
        references: of.references,
      });
    }
  }
}

function blurred(machine: Machine, of: FunctionValue, at: Point): Value {
  const blur = machine.blurOf(of, at);
  return blur === null ? UNDEFINED : join(UNDEFINED, blur);
}

function readExport(machine: Machine, module: ts.Symbol, name: string, at: Point): Value {
  const symbol = machine.queries.exportOf(module, name);
  return symbol === null ? UNDEFINED : readSymbol(machine, symbol, at);
}

function readResult(machine: Machine, of: ResultValue, name: string): Value {
  const field = name === 'kind' ? 'isError' : name;
  const references = union(of.references, new Set([reference(of.id, field)]));
  const when = new Map([[of.id, of.form]]);
  const mark = (value: Value): Value =>
    map(value, (inner) => ({
      ...inner,
      references: union(inner.references, references),
      when: both(inner.when, when) ?? inner.when,
    }));
  switch (name) {
    case 'content':
      return mark(of.content);
    case 'artifacts':
      return mark(of.artifacts);
    case 'target':
      return mark(of.target);
    case 'isError':
      return mark((of.form & FAILED) === 0 ? FALSE : TRUE);
    case 'kind':
      return mark(literal(shapeOf(of.form)));
    default:
      return map(resultMethod(machine, of, name) ?? UNDEFINED, (inner) => ({ ...inner, when }));
  }
}

function readTarget(of: TargetValue, name: string): Value {
  const mark = (value: Value): Value =>
    map(value, (inner) => ({
      ...inner,
      references: union(union(inner.references, of.references), new Set([reference(of.id, name)])),
    }));
  if (name === 'table') {
    return mark(of.table);
  }
  return name === 'uid' ? mark(of.uid) : derived(one(of), name);
}

/** The length of a field of a preserved value: zero where the field is empty, and not where it is not. */
function lengthOf(machine: Machine, of: OpaqueValue): Value | null {
  const [only, ...more] = of.references;
  if (only === undefined || more.length > 0) {
    return null;
  }
  const { id, field } = parseReference(only);
  if (field === WHOLE) {
    return null;
  }
  const subject = machine.identities.ofField(id, field);
  const { references } = of;
  const zero: Alternative = { kind: 'literal', value: 0, references, when: new Map([[subject, EMPTY]]) };
  const some = opaqueAlternative({
    isTruthy: true,
    description: `the length of ${field}`,
    references,
    when: new Map([[subject, PRESENT]]),
  });
  return { alternatives: [zero, some] };
}

function readOpaque(machine: Machine, of: OpaqueValue, name: string, at: Point, node: ts.Node): Value {
  if (name === 'length' || name === 'size') {
    const length = lengthOf(machine, of);
    if (length !== null) {
      return length;
    }
  }
  if (of.preserved?.fields?.some((field) => field.name === name) === true) {
    const source = {
      place: node,
      tag: `${String(of.id)}.${name}`,
      at,
      origin: of.origin,
      description: `${of.description}.${name}`,
      why: `the type of \`${name}\` is open`,
      references: of.references,
    };
    const symbol = of.type === null ? null : machine.queries.propertyOf(of.type, name);
    const value =
      symbol === null
        ? opaque({ origin: of.origin, description: source.description })
        : machine.typed(machine.queries.typeOfSymbol(symbol), source);
    return preservedField(machine, of, name, value);
  }
  const symbol = of.type === null ? null : machine.queries.propertyOf(of.type, name);
  const own =
    symbol === null
      ? inheritedMember(machine, of, name, at, node)
      : ownMember(machine, symbol, of, name, at, node);
  if (own !== null) {
    return own;
  }
  const library = of.library === null ? null : machine.libraries.member(of.library, name);
  if (library !== null && (library.value !== null || isContext(library))) {
    return libraryMember(machine, of, name, { symbol, library, at, node });
  }
  if (isCallbackMethod(name) && (of.type === null || symbol === null || isLibraryArray(symbol))) {
    return arrayMethod(machine, name, {
      self: one(of),
      element: one({ ...of, type: null, preserved: null }),
    });
  }
  if ((name === 'then' || name === 'catch' || name === 'finally') && of.type === null) {
    const settled = one(of);
    return (
      promiseMethod(
        machine,
        { kind: 'promise', value: settled, references: of.references, when: of.when },
        name,
      ) ?? UNDEFINED
    );
  }
  const description = of.description === '' ? name : `${of.description}.${name}`;
  if (symbol === null) {
    return opaque({
      origin: of.origin,
      unknown: of.unknown === '' ? '' : of.unknown,
      description,
      place: of.place,
      references: of.references,
      receiver: one(of),
      library,
    });
  }
  return machine.typed(machine.queries.typeOfSymbol(symbol), {
    place: node,
    tag: `${String(of.id)}.${name}`,
    at,
    origin: of.origin,
    description,
    why: `the type of \`${description}\` is open`,
    references: of.references,
    symbol,
    receiver: one(of),
  });
}

/** A member that the catalogue of effects knows: by its type where that is there, and by its origin. */
function libraryMember(
  machine: Machine,
  of: OpaqueValue,
  name: string,
  read: {
    readonly symbol: ts.Symbol | null;
    readonly library: LibraryOrigin;
    readonly at: Point;
    readonly node: ts.Node;
  },
): Value {
  const { symbol, library } = read;
  const description = of.description === '' ? name : `${of.description}.${name}`;
  if (symbol === null) {
    return opaque({
      origin: of.origin,
      unknown: of.unknown,
      description,
      place: of.place,
      references: of.references,
      receiver: one(of),
      library,
    });
  }
  const value = machine.typed(machine.queries.typeOfSymbol(symbol), {
    place: read.node,
    tag: `${String(of.id)}.${name}`,
    at: read.at,
    origin: of.origin,
    description,
    why: `the type of \`${description}\` is open`,
    references: of.references,
    symbol,
    receiver: one(of),
  });
  return fromLibrary(value, library);
}

function isLibraryArray(symbol: ts.Symbol): boolean {
  const parent = symbol.declarations?.[0]?.parent;
  return (
    parent !== undefined &&
    ts.isInterfaceDeclaration(parent) &&
    (parent.name.text === 'Array' || parent.name.text === 'ReadonlyArray')
  );
}

/** A method or getter with a body in the project's own code. */
function ownMember(
  machine: Machine,
  symbol: ts.Symbol,
  of: OpaqueValue,
  name: string,
  at: Point,
  node: ts.Node,
): Value | null {
  const declaration = symbol.valueDeclaration;
  if (declaration === undefined || of.type === null || !machine.queries.isOwn(declaration)) {
    return null;
  }
  const owner = machine.queries.classOf(of.type);
  // A result is looked at as whoever implements the interface may make it: there are others than the ones here.
  if (
    isWithoutBody(declaration) &&
    !answersPreserved(machine.queries, machine.queries.typeOfSymbol(symbol))
  ) {
    const implemented = implementedMember(machine, of, name, at, node);
    if (implemented !== null) {
      return implemented;
    }
  }
  if (owner === null || !ts.isClassLike(declaration.parent)) {
    return null;
  }
  const cls: Alternative = {
    kind: 'class',
    node: owner,
    frame: null,
    references: of.references,
    when: of.when,
  };
  return readMember(machine, cls, name, { isStatic: false, self: one(of), at, node });
}

/** A method that is only declared: of an interface, or an abstract one. */
function isWithoutBody(node: ts.Declaration): boolean {
  return (
    ts.isMethodSignature(node) ||
    (ts.isPropertySignature(node) && node.type !== undefined && ts.isFunctionTypeNode(node.type)) ||
    (ts.isMethodDeclaration(node) && node.body === undefined)
  );
}

/** The method as the project's own classes have it that implement what declares it; null where none does. */
function implementedMember(
  machine: Machine,
  of: OpaqueValue,
  name: string,
  at: Point,
  node: ts.Node,
): Value | null {
  const classes = of.type === null || of.library !== null ? [] : machine.queries.implementersOf(of.type);
  const members = classes.map((owner): Value | null => {
    const symbol = machine.queries.symbolOfDeclaration(owner);
    if (symbol === null) {
      return null;
    }
    const self = { ...of, type: machine.queries.instanceTypeOf(symbol) };
    return memberOfInstance(machine, owner, self, name, at, node);
  });
  const found = members.filter((member) => member !== null);
  return found.length === 0 || found.length < members.length ? null : join(...found);
}

/** A member that a class of the project has from a class outside, whose code is not here. */
function inheritedMember(
  machine: Machine,
  of: OpaqueValue,
  name: string,
  at: Point,
  node: ts.Node,
): Value | null {
  const owner = of.type === null || of.library !== null ? null : machine.queries.classOf(of.type);
  if (owner === null || machine.queries.baseClassOf(owner) === null) {
    return null;
  }
  return memberOfInstance(machine, owner, of, name, at, node);
}

/** A member of what is known to be an instance of a class of the project, wherever that was made. */
function memberOfInstance(
  machine: Machine,
  owner: ts.ClassLikeDeclaration,
  of: OpaqueValue,
  name: string,
  at: Point,
  node: ts.Node,
): Value | null {
  const { references, when } = of;
  const cls = { kind: 'class', node: owner, frame: null, references, when } as const;
  return readMember(machine, cls, name, { isStatic: false, self: one(of), at, node });
}

function getThrough(
  machine: Machine,
  getter: FunctionValue,
  of: ObjectValue,
  at: Point,
  node: ts.Node,
): Value {
  const self = one(of);
  return machine.invoke({ ...getter, self }, { node, self, callee: one(getter), args: [], spread: null, at });
}

function readObject(machine: Machine, of: ObjectValue, name: string, at: Point, node: ts.Node): Value {
  const value = readKnown(machine, of, name, at, node);
  const blur = machine.blurOf(of, at);
  return blur === null ? value : join(value, blur);
}

function readKnown(machine: Machine, of: ObjectValue, name: string, at: Point, node: ts.Node): Value {
  const accessors = of.accessors?.get(name);
  if (accessors !== undefined) {
    return accessors.get === null ? UNDEFINED : getThrough(machine, accessors.get, of, at, node);
  }
  const known = machine.propertiesOf(of, at).get(name);
  const mark = (value: Value): Value =>
    of.preserved === null
      ? value
      : map(value, (inner) => ({
          ...inner,
          references: union(inner.references, new Set([reference(of.id, name)])),
        }));
  if (known !== undefined) {
    return mark(known);
  }
  if (of.of !== null) {
    const member = readMember(machine, of.of, name, { isStatic: false, self: one(of), at, node });
    if (member !== null) {
      return member;
    }
  }
  if (of.collection !== null) {
    const method = collectionMethod(machine, of, name, at);
    if (method !== null) {
      return method;
    }
    if (of.collection === 'array' && name !== 'length' && !/^\d+$/u.test(name)) {
      if (name === 'join' || name === 'toString' || name === 'toLocaleString') {
        coerceElements(machine, of, name, at, node);
      }
      return name === 'join' ? joinMethod(machine, one(of)) : derived(one(of), name);
    }
    if (name === 'length' || name === 'size') {
      return opaque({
        origin: originsOf([one(of)]).origin,
        description: `the number of elements`,
        references: of.references,
      });
    }
  }
  const others = machine.othersOf(of, at);
  if (others !== null) {
    const element = join(others, UNDEFINED);
    return of.collection === 'array' ? deriving(element, of.references) : element;
  }
  if (name === '__defineGetter__' || name === '__defineSetter__') {
    return native(name, (site) => defineAccessor(machine, name === '__defineGetter__' ? 'get' : 'set', site));
  }
  return name === 'toString' || name === 'valueOf' || name === 'hasOwnProperty'
    ? native(`Object#${name}`, () => opaque({ references: of.references }))
    : mark(UNDEFINED);
}
