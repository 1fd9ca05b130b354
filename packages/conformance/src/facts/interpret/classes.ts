import { ts } from '../../../engine/typescript.mjs';
import { contains } from '../../compiler/walk.js';
import { intrinsicFor } from '../intrinsics/registry.js';
import { isFreshValue } from '../intrinsics/fresh-values.js';
import { NO_GUARD } from '../values/guard.js';
import { join } from '../values/join.js';
import { NEVER, UNDEFINED, one, opaque } from '../values/make.js';
import { NO_REFERENCES } from '../values/references.js';
import {
  FROM_ELSEWHERE,
  type Alternative,
  type CallSite,
  type ClassValue,
  type ExternalValue,
  type ObjectValue,
  type Point,
  type Value,
} from '../values/value.js';
import { calleeText, givenReferences, unresolved } from './calls.js';
import { baseOf, isStaticMember, memberName, readMember } from './class-members.js';
import { withHeld } from './held-by-libraries.js';
import type { Machine } from './machine.js';
import { argumentsFor, fromLibrary, lastName, outside } from './outside-calls.js';

/** `new C(…)`, for whatever the class can be. */
export function construct(machine: Machine, site: CallSite): Value {
  machine.mayThrow(site.at);
  return join(
    ...site.callee.alternatives.map((callee): Value => {
      if (callee.kind === 'class') {
        return newInstance(machine, callee, site);
      }
      if (callee.kind === 'function') {
        return constructFunction(machine, site);
      }
      const made =
        callee.kind === 'external'
          ? newExternal(machine, callee, site)
          : constructOpaque(machine, callee, site);
      return withHeld(machine, site, made);
    }),
  );
}

function constructOpaque(machine: Machine, callee: Alternative, site: CallSite): Value {
  const why = 'the class that is constructed is not known';
  if (callee.kind !== 'opaque' || callee.library === null) {
    machine.effects.unknown(site.node, why, site.at);
    return unresolved(machine, site, why);
  }
  const origin = callee.library;
  outside(machine, site, { origin, receiver: null, name: lastName(origin.path.join('.')), from: 0 }, true);
  const library = machine.libraries.constructed(origin, () => argumentsFor(machine, site));
  return fromLibrary(unresolved(machine, site, why), library);
}

// A constructor function of old: what it assigns to `this` is its instance.
function constructFunction(machine: Machine, site: CallSite): Value {
  const instance = one(machine.newObject(site.node, site.at, {}));
  machine.call({ ...site, self: instance });
  return instance;
}

function newExternal(machine: Machine, callee: ExternalValue, site: CallSite): Value {
  const intrinsic = intrinsicFor({ ...callee, path: `new ${callee.path}` });
  if (intrinsic !== null) {
    return intrinsic(machine, site, callee);
  }
  const references = givenReferences(site);
  const origin = machine.libraries.ofExternal(callee);
  outside(machine, site, { origin, receiver: null, name: lastName(callee.path), from: 0 }, true);
  const library = machine.libraries.constructed(origin, () => argumentsFor(machine, site));
  if (isFreshValue({ ...callee, path: `new ${callee.path}` }) && site.args.length === 0) {
    return opaque({ origin: FROM_ELSEWHERE, description: `\`new ${calleeText(site.node)}()\``, library });
  }
  if (callee.symbol === null) {
    return fromLibrary(unresolved(machine, site, 'the class is not installed'), library);
  }
  const description = `an instance of \`${calleeText(site.node)}\``;
  if (callee.members.length > 0) {
    return opaque({ description, references, place: site.node, library });
  }
  const instance = machine.typed(machine.queries.instanceTypeOf(callee.symbol), {
    place: site.node,
    tag: `new ${String(machine.numberAt(site.node))}`,
    at: site.at,
    origin: 0,
    description,
    why: `${description} is known by its type only`,
    references,
  });
  return fromLibrary(instance, library);
}

function newInstance(machine: Machine, cls: ClassValue, site: CallSite): Value {
  const instance = machine.newObject(site.node, site.at, { of: cls });
  const self = one(instance);
  if (machine.effects.isWatching) {
    // Made by the tool itself: nobody else has set its optional members.
    leaveOut(machine, cls, self, site.at);
  }
  initialise(machine, cls, self, site);
  const properties = machine.propertiesOf(instance, site.at);
  const symbol = machine.queries.symbolOfDeclaration(cls.node);
  const preserved = symbol === null ? null : machine.preservedClass(symbol);
  const made: ObjectValue = { ...instance, properties: new Map(properties), preserved };
  if (preserved !== null) {
    machine.observer.objectMade(made, preserved, site.at);
  }
  return one(made);
}

function leaveOut(machine: Machine, cls: ClassValue, self: Value, at: Point): void {
  for (const member of cls.node.members) {
    if (ts.isPropertyDeclaration(member) && member.questionToken !== undefined && !isStaticMember(member)) {
      const name = member.initializer === undefined ? memberName(member) : null;
      if (name !== null) {
        machine.writeProperty(self, name, UNDEFINED, at);
      }
    }
  }
}

/** Fields and constructor, the base class first. */
function initialise(machine: Machine, cls: ClassValue, self: Value, site: CallSite): void {
  const constructor = cls.node.members.find(
    (member): member is ts.ConstructorDeclaration =>
      ts.isConstructorDeclaration(member) && member.body !== undefined,
  );
  if (constructor === undefined) {
    const base = baseOf(machine, cls, site.at);
    if (base !== null) {
      initialise(machine, base, self, site);
    }
    initialiseFields(machine, cls, self, site.at);
    return;
  }
  if (machine.queries.baseClassOf(cls.node) === null) {
    initialiseFields(machine, cls, self, site.at);
  }
  machine.invoke(
    {
      kind: 'function',
      node: constructor,
      frame: cls.frame,
      self,
      bound: [],
      references: NO_REFERENCES,
      when: NO_GUARD,
    },
    { ...site, self },
  );
}

function initialiseFields(machine: Machine, cls: ClassValue, self: Value, at: Point): void {
  const frame = machine.newFrame(cls.node, {
    enclosing: cls.frame,
    caller: at.frame,
    call: null,
    self,
    args: [],
    entry: at.state,
    effects: at.frame.effects,
  });
  const inside: Point = { frame, state: at.state };
  for (const member of cls.node.members) {
    const name = ts.isPropertyDeclaration(member) && !isStaticMember(member) ? memberName(member) : null;
    if (name !== null && ts.isPropertyDeclaration(member) && member.initializer !== undefined) {
      const value = machine.evaluate(member.initializer, inside);
      machine.writeProperty(self, name, machine.asDeclared(value, member.type, inside), inside);
    }
  }
  frame.isActive = false;
}

/**
 * Runs what defining a class runs: what it extends, computed names, static blocks and static fields. Where
 * no tool runs, fields only when they change something.
 */
export function defineClass(machine: Machine, node: ts.ClassLikeDeclaration, at: Point): void {
  const { isWatching } = machine.effects;
  const base = machine.queries.baseClassOf(node);
  if (isWatching && base !== null && contains(base, runsCode)) {
    machine.evaluate(base, at);
  }
  const hasBlock = node.members.some(ts.isClassStaticBlockDeclaration);
  const running = node.members.filter((member) =>
    runsAtDefinition(member, hasBlock ? () => true : isWatching ? runsCode : changesSomething),
  );
  if (running.length === 0) {
    return;
  }
  const cls: ClassValue = {
    kind: 'class',
    node,
    frame: ts.isSourceFile(at.frame.node) ? null : at.frame,
    references: NO_REFERENCES,
    when: NO_GUARD,
  };
  const frame = machine.newFrame(node, {
    enclosing: at.frame,
    caller: at.frame,
    call: null,
    self: one(cls),
    args: [],
    entry: at.state,
    effects: at.frame.effects,
  });
  const inside: Point = { frame, state: at.state };
  for (const member of running) {
    if (member.name !== undefined && ts.isComputedPropertyName(member.name)) {
      machine.evaluate(member.name.expression, { frame: at.frame, state: at.state });
    }
    if (ts.isClassStaticBlockDeclaration(member)) {
      member.body.statements.forEach((statement) => {
        machine.execute(statement, inside);
      });
    } else if (
      ts.isPropertyDeclaration(member) &&
      isStaticMember(member) &&
      member.initializer !== undefined
    ) {
      const value = machine.evaluate(member.initializer, inside);
      const name = hasBlock ? memberName(member) : null;
      if (name !== null) {
        // What a block changes of it is changed of this one.
        machine.writeProperty(one(cls), name, value, inside);
      }
    }
  }
  frame.isActive = false;
}

function runsAtDefinition(member: ts.ClassElement, matters: (node: ts.Node) => boolean): boolean {
  return (
    ts.isClassStaticBlockDeclaration(member) ||
    (member.name !== undefined &&
      ts.isComputedPropertyName(member.name) &&
      contains(member.name.expression, matters)) ||
    (ts.isPropertyDeclaration(member) &&
      isStaticMember(member) &&
      member.initializer !== undefined &&
      contains(member.initializer, matters))
  );
}

function runsCode(node: ts.Node): boolean {
  return (
    ts.isCallExpression(node) ||
    ts.isNewExpression(node) ||
    ts.isTaggedTemplateExpression(node) ||
    ts.isPropertyAccessExpression(node) ||
    ts.isElementAccessExpression(node) ||
    ts.isTemplateExpression(node) ||
    ts.isSpreadElement(node) ||
    changesSomething(node)
  );
}

function changesSomething(node: ts.Node): boolean {
  return (
    ts.isBinaryExpression(node) &&
    node.operatorToken.kind >= ts.SyntaxKind.FirstAssignment &&
    node.operatorToken.kind <= ts.SyntaxKind.LastAssignment
  );
}

/** `super(…)` in a constructor. */
export function callSuper(
  machine: Machine,
  given: { readonly node: ts.Node; readonly args: readonly Value[]; readonly spread: Value | null },
  at: Point,
): Value {
  const cls = classAround(given.node);
  const self = at.frame.self;
  if (cls === null || self === null) {
    return UNDEFINED;
  }
  const own: ClassValue = {
    kind: 'class',
    node: cls,
    frame: at.frame.enclosing,
    references: NO_REFERENCES,
    when: NO_GUARD,
  };
  const base = baseOf(machine, own, at);
  if (base !== null) {
    initialise(machine, base, self, { ...given, self, callee: one(base), at });
  }
  initialiseFields(machine, own, self, at);
  return UNDEFINED;
}

/** `super.name`: the member of the base class, with the `this` at hand. */
export function readSuper(machine: Machine, name: string, at: Point, node: ts.Node): Value {
  const cls = classAround(node);
  const self = at.frame.self ?? NEVER;
  if (cls === null) {
    return UNDEFINED;
  }
  const own: ClassValue = {
    kind: 'class',
    node: cls,
    frame: at.frame.enclosing,
    references: NO_REFERENCES,
    when: NO_GUARD,
  };
  const base = baseOf(machine, own, at);
  const member = base === null ? null : readMember(machine, base, name, { isStatic: false, self, at, node });
  return member ?? machine.inheritedMember(own, name, at, node);
}

function classAround(node: ts.Node): ts.ClassLikeDeclaration | null {
  for (let current: ts.Node = node; !ts.isSourceFile(current); current = current.parent) {
    if (ts.isClassLike(current)) {
      return current;
    }
  }
  return null;
}

/** An instance as its methods see it when nobody is seen to construct it: built with unknown arguments. */
export function symbolicInstance(machine: Machine, cls: ClassValue, at: Point): Value {
  const place = cls.node;
  const symbol = machine.queries.symbolOfDeclaration(place);
  const preserved = symbol === null ? null : machine.preservedClass(symbol);
  if (preserved !== null && symbol !== null) {
    return preservedInstance(machine, cls, symbol, at);
  }
  const constructor = constructorOf(machine, cls, at);
  const args = (constructor?.parameters ?? []).map((parameter) => machine.parameterValue(parameter, at));
  const instance = machine.newObject(place, at, { of: cls });
  const self = one(instance);
  const base = at.state;
  const running = base.fork();
  at.state = running;
  initialise(machine, cls, self, { node: place, self, callee: one(cls), args, spread: null, at });
  at.state = base;
  base.absorb([{ ...running.asBranchOf(base), isDead: false }]);
  return one({ ...instance, properties: new Map(machine.propertiesOf(instance, at)) });
}

function constructorOf(machine: Machine, cls: ClassValue, at: Point): ts.ConstructorDeclaration | null {
  const seen = new Set<ts.Node>();
  for (
    let current: ClassValue | null = cls;
    current !== null && !seen.has(current.node);
    current = baseOf(machine, current, at)
  ) {
    seen.add(current.node);
    const found = current.node.members.find(
      (member): member is ts.ConstructorDeclaration =>
        ts.isConstructorDeclaration(member) && member.body !== undefined,
    );
    if (found !== undefined) {
      return found;
    }
  }
  return null;
}

/** Of a preserved class every field is what it is: an own value that a rebuild has to carry on. */
function preservedInstance(machine: Machine, cls: ClassValue, symbol: ts.Symbol, at: Point): Value {
  return machine.typed(machine.queries.instanceTypeOf(symbol), {
    place: cls.node,
    tag: `this ${String(machine.numberAt(cls.node))}`,
    at,
    origin: 0,
    description: 'this',
    why: '`this` is known by its class',
    references: NO_REFERENCES,
  });
}
