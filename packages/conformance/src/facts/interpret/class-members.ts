import { ts } from '../../../engine/typescript.mjs';
import { NO_GUARD } from '../values/guard.js';
import { join, map } from '../values/join.js';
import { NEVER, UNDEFINED, one, unknownValue } from '../values/make.js';
import { NO_REFERENCES } from '../values/references.js';
import type { ClassValue, ExternalValue, FunctionValue, Point, Value } from '../values/value.js';
import { decorated } from './decorators.js';
import { overridesOf, runAll } from './held-by-libraries.js';
import type { Machine } from './machine.js';
import { asImportedType, fromLibrary } from './outside-calls.js';
import { symbolName } from './member-keys.js';

export interface MemberRead {
  readonly isStatic: boolean;
  readonly self: Value;
  readonly at: Point;
  readonly node: ts.Node;
}

/** A member by name, through the base classes. Null when no class of the chain has one. */
export function readMember(machine: Machine, of: ClassValue, name: string, read: MemberRead): Value | null {
  const seen = new Set<ts.Node>();
  let current = of;
  while (!seen.has(current.node)) {
    seen.add(current.node);
    const value = readOwnMember(machine, current, name, read);
    if (!read.isStatic && machine.queries.isPrototypeChanged(current.node)) {
      const why = `the methods of \`${current.node.name?.text ?? 'a class'}\` are replaced elsewhere`;
      return join(value ?? UNDEFINED, unknownValue(why, read.node));
    }
    if (value !== null) {
      return value;
    }
    const base: ts.Expression | null = machine.queries.baseClassOf(current.node);
    if (base === null) {
      return null;
    }
    const next = baseOf(machine, current, read.at);
    if (next === null) {
      const outer = machine.evaluate(base, pointOf(current, read.at));
      return inheritedFromOutside(machine, of, name, read, outer);
    }
    current = next;
  }
  return null;
}

/** The setter of a property, in the class or above it; null where another member, or none, has the name. */
export function setterOf(
  machine: Machine,
  of: ClassValue,
  name: string,
  read: Pick<MemberRead, 'isStatic' | 'self' | 'at'>,
): FunctionValue | null {
  const seen = new Set<ts.Node>();
  for (
    let current: ClassValue | null = of;
    current !== null && !seen.has(current.node);
    current = baseOf(machine, current, read.at)
  ) {
    seen.add(current.node);
    const members = current.node.members.filter(
      (member) => isStaticMember(member) === read.isStatic && memberName(member) === name,
    );
    const setter = members.find((member) => ts.isSetAccessorDeclaration(member) && member.body !== undefined);
    if (setter !== undefined && ts.isSetAccessorDeclaration(setter)) {
      const [fn] = methodValue(setter, current, read.self).alternatives;
      return fn?.kind === 'function' ? fn : null;
    }
    if (members.length > 0) {
      return null;
    }
  }
  return null;
}

/** The base class, where it is in the project's own code. */
export function baseOf(machine: Machine, of: ClassValue, at: Point): ClassValue | null {
  const base = machine.queries.baseClassOf(of.node);
  if (base === null) {
    return null;
  }
  const value = machine.evaluate(base, pointOf(of, at));
  const found = value.alternatives.find((alternative) => alternative.kind === 'class');
  return found ?? null;
}

function pointOf(of: ClassValue, at: Point): Point {
  return of.frame === null ? at : { frame: of.frame, state: at.state };
}

function readOwnMember(machine: Machine, of: ClassValue, name: string, read: MemberRead): Value | null {
  const members = of.node.members.filter(
    (member) => isStaticMember(member) === read.isStatic && memberName(member) === name,
  );
  const method = members.find((member) => ts.isMethodDeclaration(member) && member.body !== undefined);
  if (method !== undefined && ts.isMethodDeclaration(method)) {
    const value = methodValue(method, of, read.self);
    return ts.canHaveDecorators(method) && ts.getDecorators(method) !== undefined
      ? bound(decorated(machine, method, value, read.at), read.self)
      : value;
  }
  const getter = members.find((member) => ts.isGetAccessorDeclaration(member));
  if (getter !== undefined && ts.isGetAccessorDeclaration(getter) && getter.body !== undefined) {
    const [fn] = methodValue(getter, of, read.self).alternatives;
    return fn?.kind === 'function'
      ? machine.invoke(fn, {
          node: read.node,
          self: read.self,
          callee: one(fn),
          args: [],
          spread: null,
          at: read.at,
        })
      : NEVER;
  }
  const declared = members[0];
  if (declared === undefined) {
    return parameterProperty(machine, of, name, read);
  }
  if (ts.isPropertyDeclaration(declared)) {
    return propertyValue(machine, of, declared, read);
  }
  return ts.isMethodDeclaration(declared) ? declaredValue(machine, declared, read) : null;
}

/** A function that took a method's place is called on what the method is called on. */
function bound(value: Value, self: Value): Value {
  return map(value, (one) => (one.kind === 'function' && one.self === null ? { ...one, self } : one));
}

function methodValue(node: ts.SignatureDeclaration, of: ClassValue, self: Value): Value {
  const fn: FunctionValue = {
    kind: 'function',
    node,
    frame: of.frame,
    self,
    bound: [],
    references: NO_REFERENCES,
    when: NO_GUARD,
  };
  return one(fn);
}

/** A field of an instance that nobody was seen to construct, or a static one. */
function propertyValue(
  machine: Machine,
  of: ClassValue,
  node: ts.PropertyDeclaration,
  read: MemberRead,
): Value | null {
  const { initializer } = node;
  const isDecided =
    initializer !== undefined &&
    (read.isStatic || isReadonly(node) || node.type === undefined || ts.isFunctionLike(initializer));
  if (isDecided) {
    const frame = of.frame ?? read.at.frame;
    if (ts.isArrowFunction(initializer)) {
      return methodValue(initializer, of, read.self);
    }
    return machine.evaluate(initializer, { frame, state: read.at.state });
  }
  return declaredValue(machine, node, read);
}

function parameterProperty(machine: Machine, of: ClassValue, name: string, read: MemberRead): Value | null {
  if (read.isStatic) {
    return null;
  }
  const constructor = of.node.members.find((member) => ts.isConstructorDeclaration(member));
  const parameter = constructor?.parameters.find(
    (one) =>
      ts.isParameterPropertyDeclaration(one, constructor) &&
      ts.isIdentifier(one.name) &&
      one.name.text === name,
  );
  return parameter === undefined ? null : declaredValue(machine, parameter, read);
}

/** By its declared type: an abstract method, a field that is set elsewhere. */
function declaredValue(
  machine: Machine,
  node: ts.PropertyDeclaration | ts.MethodDeclaration | ts.ParameterDeclaration,
  read: MemberRead,
): Value {
  const symbol = machine.queries.symbolOfDeclaration(node);
  const name = node.name.getText();
  if (symbol === null) {
    return unknownValue(`\`${name}\` is not declared with a type`, read.node);
  }
  const value = machine.typed(machine.queries.typeOfSymbol(symbol), {
    place: read.node,
    tag: `member ${String(node.pos)} ${node.getSourceFile().fileName}`,
    at: read.at,
    origin: 0,
    description: `this.${name}`,
    why: `\`${name}\` is given from outside`,
    references: NO_REFERENCES,
    symbol,
    receiver: read.self,
  });
  return ts.isMethodDeclaration(node) ? value : asImportedType(machine, value, node.type);
}

function inheritedFromOutside(
  machine: Machine,
  of: ClassValue,
  name: string,
  read: MemberRead,
  base: Value,
): Value | null {
  const outside = base.alternatives.find((one) => one.kind === 'external');
  if (read.isStatic) {
    if (outside === undefined || name.startsWith('@@')) {
      return null;
    }
    const inherited = machine.readProperty(one(outside), name, read.at, read.node);
    const self = machine.effects.isWatching ? machine.instanceOf(of, read.at) : NEVER;
    const overrides = self.alternatives.flatMap((made) =>
      made.kind === 'object' ? overridesOf(machine, made) : [],
    );
    // What it makes is an instance of this class, whose methods the language calls.
    if (overrides.length > 0) {
      const { at, node } = read;
      runAll(machine, { node, self, callee: UNDEFINED, args: [], spread: null, at }, overrides);
    }
    return inherited;
  }
  const symbol = machine.queries.symbolOfDeclaration(of.node);
  if (symbol === null) {
    return null;
  }
  const member = machine.queries.propertyOf(machine.queries.instanceTypeOf(symbol), name);
  if (member === null) {
    const value = unknownValue(`\`${name}\` may come from a base class whose code is not here`, read.node);
    return ofLibrary(machine, value, outside, name);
  }
  const value = machine.typed(machine.queries.typeOfSymbol(member), {
    place: read.node,
    tag: `inherited ${name} ${String(of.node.pos)} ${of.node.getSourceFile().fileName}`,
    at: read.at,
    origin: 0,
    description: `this.${name}`,
    why: `\`${name}\` comes from a base class whose code is not here`,
    references: NO_REFERENCES,
    symbol: member,
    receiver: read.self,
  });
  return ofLibrary(machine, value, outside, name);
}

/** An inherited member is what the catalogue says of an instance of the base class. */
function ofLibrary(machine: Machine, value: Value, base: ExternalValue | undefined, name: string): Value {
  if (base === undefined) {
    return value;
  }
  const { libraries } = machine;
  const library = libraries.member(
    libraries.constructed(libraries.ofExternal(base), () => []),
    name,
  );
  return library.value === null ? value : fromLibrary(value, library);
}

export function memberName(member: ts.ClassElement | ts.ObjectLiteralElementLike): string | null {
  const { name } = member;
  if (name === undefined) {
    return null;
  }
  if (
    ts.isIdentifier(name) ||
    ts.isPrivateIdentifier(name) ||
    ts.isStringLiteralLike(name) ||
    ts.isNumericLiteral(name)
  ) {
    return name.text;
  }
  if (!ts.isComputedPropertyName(name)) {
    return null;
  }
  return ts.isStringLiteralLike(name.expression) ? name.expression.text : symbolName(name.expression);
}

export function isStaticMember(member: ts.ClassElement): boolean {
  return hasModifier(member, ts.SyntaxKind.StaticKeyword);
}

function isReadonly(node: ts.PropertyDeclaration): boolean {
  return hasModifier(node, ts.SyntaxKind.ReadonlyKeyword);
}

function hasModifier(node: ts.Node, kind: ts.SyntaxKind): boolean {
  return (
    (ts.canHaveModifiers(node) && ts.getModifiers(node)?.some((modifier) => modifier.kind === kind)) ?? false
  );
}
