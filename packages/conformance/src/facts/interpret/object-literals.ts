import { ts } from '../../../engine/typescript.mjs';
import { join, map, referencesIn } from '../values/join.js';
import { NEVER, UNDEFINED, one, opaque, unknownValue } from '../values/make.js';
import { union, type References, NO_REFERENCES } from '../values/references.js';
import type { Accessors, FunctionValue, ObjectValue, Point, Value } from '../values/value.js';
import { fixedElements } from './call-expressions.js';
import { memberName } from './class-members.js';
import type { Machine } from './machine.js';
import { keyText } from './member-keys.js';
import { closure, functionValue } from './names.js';

/** An object that is being put together. */
export interface Parts {
  readonly properties: Map<string, Value>;
  others: Value | null;
}

export function evaluateObjectLiteral(machine: Machine, node: ts.ObjectLiteralExpression, at: Point): Value {
  const parts: Parts = { properties: new Map(), others: null };
  const methods: [string, ts.MethodDeclaration | ts.AccessorDeclaration][] = [];
  for (const member of node.properties) {
    if (ts.isSpreadAssignment(member)) {
      spreadInto(machine, parts, machine.evaluate(member.expression, at), at, member);
      continue;
    }
    if (ts.isMethodDeclaration(member) || ts.isAccessor(member)) {
      const name = memberName(member);
      if (name !== null) {
        methods.push([name, member]);
        parts.properties.delete(name);
      } else {
        parts.others = join(parts.others ?? NEVER, unknownValue('the name of a member is computed', member));
      }
      continue;
    }
    const value = ts.isShorthandPropertyAssignment(member)
      ? machine.readName(member.name, at)
      : machine.evaluate(member.initializer, at);
    const names = memberNames(machine, member.name, at);
    if (names === null) {
      parts.others = join(parts.others ?? NEVER, value);
    } else if (names.length === 1) {
      parts.properties.set(names[0] ?? '', machine.chosen(value, at));
    } else {
      for (const name of names) {
        parts.properties.set(name, join(parts.properties.get(name) ?? UNDEFINED, value));
      }
    }
  }
  const made = withMethods(machine, machine.newObject(node, at, parts), methods, at);
  machine.observer.literalMade(made, at);
  return one(made);
}

function memberNames(machine: Machine, name: ts.PropertyName, at: Point): readonly string[] | null {
  if (!ts.isComputedPropertyName(name)) {
    return [name.text];
  }
  const key = machine.evaluate(name.expression, at);
  const names = key.alternatives.map(keyText);
  return names.every((one) => one !== null) && names.length > 0 ? names : null;
}

// Methods see the object itself as `this`: as it is where it is made, without its methods.
function withMethods(
  machine: Machine,
  object: ObjectValue,
  methods: readonly (readonly [string, ts.MethodDeclaration | ts.AccessorDeclaration])[],
  at: Point,
): ObjectValue {
  if (methods.length === 0) {
    return object;
  }
  const properties = new Map(object.properties);
  const accessors = new Map<string, Accessors>();
  const plain = one(object);
  for (const [name, node] of methods) {
    if (ts.isMethodDeclaration(node)) {
      properties.set(name, closure(machine, node, at));
      continue;
    }
    const [fn] = functionValue(node, at.frame, plain).alternatives;
    if (fn?.kind !== 'function') {
      continue;
    }
    const known = accessors.get(name) ?? { get: null, set: null };
    if (ts.isSetAccessorDeclaration(node)) {
      accessors.set(name, { ...known, set: fn });
    } else {
      accessors.set(name, { ...known, get: fn });
      properties.set(name, firstAnswer(machine, fn, node, at));
    }
  }
  return { ...object, properties, accessors: accessors.size === 0 ? null : accessors };
}

/** What a getter answers where its object is made, without what it does: it runs when it is read. */
function firstAnswer(machine: Machine, getter: FunctionValue, node: ts.Node, at: Point): Value {
  const base = at.state;
  at.state = base.fork();
  const self = getter.self ?? UNDEFINED;
  const answer = machine.invoke(getter, { node, self, callee: one(getter), args: [], spread: null, at });
  at.state = base;
  return answer;
}

/** `...value`: its properties over those that are there. */
export function spreadInto(machine: Machine, parts: Parts, value: Value, at: Point, node: ts.Node): void {
  const before = new Map(parts.properties);
  const ways = value.alternatives.map((alternative) =>
    propertiesToSpread(machine, { alternatives: [alternative] }, at, node),
  );
  const names = new Set(ways.flatMap((way) => [...way.properties.keys()]));
  for (const name of names) {
    const values = ways.map((way): Value => way.properties.get(name) ?? before.get(name) ?? absent(way));
    parts.properties.set(name, join(...values));
  }
  for (const way of ways) {
    if (way.others !== null) {
      parts.others = join(parts.others ?? NEVER, way.others);
    }
  }
}

interface Spread {
  readonly properties: ReadonlyMap<string, Value>;
  readonly others: Value | null;
  readonly when: Value;
}

/** A property that one way of a spread does not have: undefined, where that way is taken. */
function absent(way: Spread): Value {
  const [taken] = way.when.alternatives;
  return taken === undefined || taken.when.size === 0
    ? UNDEFINED
    : map(UNDEFINED, (one) => ({ ...one, when: taken.when }));
}

const RESULT_PROPERTIES = ['kind', 'content', 'isError', 'artifacts', 'target'];

/** The own properties that copying a value's properties copies. */
export function propertiesToSpread(machine: Machine, value: Value, at: Point, node: ts.Node): Spread {
  const [alternative] = value.alternatives;
  const properties = new Map<string, Value>();
  if (alternative === undefined) {
    return { properties, others: null, when: value };
  }
  const read = (name: string): void => {
    properties.set(name, machine.readProperty(value, name, at, node));
  };
  switch (alternative.kind) {
    case 'result':
      RESULT_PROPERTIES.forEach(read);
      return { properties, others: null, when: value };
    case 'target':
      ['table', 'uid'].forEach(read);
      return { properties, others: null, when: value };
    case 'object': {
      for (const name of machine.propertiesOf(alternative, at).keys()) {
        if (!name.startsWith('@@')) {
          read(name);
        }
      }
      return { properties, others: machine.othersOf(alternative, at), when: value };
    }
    case 'opaque': {
      for (const name of opaqueProperties(
        machine,
        alternative.type,
        alternative.preserved?.fields?.map((field) => field.name),
      )) {
        read(name);
      }
      const isOpen = alternative.type === null && alternative.preserved === null;
      const references: References = union(NO_REFERENCES, referencesIn(value));
      const others = isOpen
        ? opaque({
            origin: alternative.origin,
            unknown: alternative.unknown,
            description: alternative.description,
            place: alternative.place,
            references,
          })
        : null;
      return { properties, others, when: value };
    }
    default:
      return { properties, others: null, when: value };
  }
}

const MOST_SPREAD_PROPERTIES = 60;

function opaqueProperties(
  machine: Machine,
  type: ts.Type | null,
  fields: readonly string[] | undefined,
): readonly string[] {
  if (fields !== undefined) {
    return fields;
  }
  if (type === null) {
    return [];
  }
  return machine.queries
    .propertiesOf(type)
    .filter(
      (property) =>
        (property.flags & ts.SymbolFlags.Method) === 0 ||
        (property.declarations?.every((one) => !ts.isClassLike(one.parent)) ?? false),
    )
    .slice(0, MOST_SPREAD_PROPERTIES)
    .map(({ name }) => name);
}

export function evaluateArrayLiteral(machine: Machine, node: ts.ArrayLiteralExpression, at: Point): Value {
  const properties = new Map<string, Value>();
  let others: Value | null = null;
  let index = 0;
  for (const element of node.elements) {
    if (ts.isSpreadElement(element)) {
      const list = machine.evaluate(element.expression, at);
      const known: readonly Value[] | null = others === null ? fixedElements(machine, list, at) : null;
      if (known === null) {
        others = join(others ?? NEVER, machine.elementsOf(list, at, element));
      } else {
        for (const value of known) {
          properties.set(String(index), value);
          index += 1;
        }
      }
      continue;
    }
    const value = machine.evaluate(element, at);
    if (others === null && index < MOST_SPREAD_PROPERTIES) {
      properties.set(String(index), value);
      index += 1;
    } else {
      others = join(others ?? NEVER, value);
    }
  }
  return one(machine.newObject(node, at, { collection: 'array', properties, others }));
}
