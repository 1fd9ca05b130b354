import { ts } from '../../../engine/typescript.mjs';
import { join, referencesIn } from '../values/join.js';
import { numberOf } from '../values/keys.js';
import { UNDEFINED, opaque, unknownValue } from '../values/make.js';
import { NO_REFERENCES } from '../values/references.js';
import {
  FROM_CALL,
  type Alternative,
  type CallSite,
  type ClassValue,
  type FunctionValue,
  type OpaqueValue,
  type Point,
  type Value,
} from '../values/value.js';
import type { PreservedType } from '../queries/preserved-types.js';
import type { CallBackOptions, Machine, TypedSource } from './machine.js';
import { asImportedType, fromLibrary, OF_CALLER } from './outside-calls.js';

// Values of which only a declaration is known: parameters, elements, and answers of code that is not here.

export function inheritedMember(
  machine: Machine,
  of: ClassValue,
  name: string,
  at: Point,
  node: ts.Node,
): Value {
  const symbol = machine.queries.symbolOfDeclaration(of.node);
  const member =
    symbol === null ? null : machine.queries.propertyOf(machine.queries.instanceTypeOf(symbol), name);
  return member === null
    ? unknownValue(`\`${name}\` comes from a base class whose code is not here`, node)
    : machine.typed(
        machine.queries.typeOfSymbol(member),
        sourceAt(node, at, `super.${name}`, `the code of \`super.${name}\` is not here`),
      );
}

export function callBack(
  machine: Machine,
  callback: FunctionValue,
  site: CallSite,
  parameter: ts.Symbol | null,
  { passed = null, isKept = false, isHeld = false }: CallBackOptions = {},
): Value {
  const { at } = site;
  const base = at.state;
  const called = base.fork();
  const skipped = base.fork();
  const type = parameter === null ? null : machine.queries.typeOfSymbol(parameter);
  const declared = type === null ? null : machine.queries.answerOfType(type, callback.node.parameters.length);
  const origin = site.self.alternatives.reduce(
    (all, one) => all | (one.kind === 'opaque' ? one.origin : 0),
    0,
  );
  const args = callback.node.parameters.map((own, index): Value => {
    const isInferred = isHeld && ts.isParameter(own) && isTyped(machine, own);
    const library = (index === 0 ? passed : null) ?? (isHeld && !isInferred ? OF_CALLER : null);
    if (ts.isParameter(own) && (own.type !== undefined || isInferred)) {
      const value = machine.parameterValue(own, at);
      return library === null ? value : fromLibrary(value, library);
    }
    const given = declared?.parameters[index];
    if (library !== null) {
      return opaque({ origin: FROM_CALL, description: own.name.getText(), library, place: own });
    }
    return given === undefined
      ? opaque({ origin: origin === 0 ? FROM_CALL : origin, description: own.name.getText() })
      : machine.typed(machine.queries.typeOfSymbol(given), {
          ...sourceAt(
            own,
            at,
            own.name.getText(),
            `\`${own.name.getText()}\` is given by code that is not here`,
          ),
          origin: origin === 0 ? FROM_CALL : origin,
        });
  });
  at.state = called;
  const answer = machine.invoke(callback, {
    ...site,
    callee: { alternatives: [callback] },
    args,
    spread: null,
    self: UNDEFINED,
  });
  at.state = base;
  if (isKept) {
    machine.unsettle(called.changesSince(base), null);
  }
  base.absorb([called.asBranchOf(base), skipped.asBranchOf(base)]);
  return answer;
}

/** Whether the checker knows more of a parameter than that it is anything. */
function isTyped(machine: Machine, parameter: ts.ParameterDeclaration): boolean {
  const type = machine.queries.typeOfNode(parameter);
  return type !== null && !machine.queries.shapeOf(type).isOpen;
}

export function parameterValue(machine: Machine, parameter: ts.ParameterDeclaration, at: Point): Value {
  const name = parameter.name.getText();
  const type =
    parameter.type === undefined
      ? machine.queries.typeOfNode(parameter)
      : machine.queries.declaredType(parameter.type);
  const why = `\`${name}\` is given by the caller`;
  const preserved = parameter.type === undefined ? null : machine.queries.preservedAt(parameter.type);
  if (preserved !== null) {
    return preservedParameter(machine, preserved, parameter, at, name);
  }
  const value = asImportedType(
    machine,
    type === null ? unknownValue(why, parameter) : machine.typed(type, sourceAt(parameter, at, name, why)),
    parameter.type,
  );
  return parameter.questionToken === undefined ? value : join(value, UNDEFINED);
}

// Of a package that is not installed: only the name of the type says what it is.
function preservedParameter(
  machine: Machine,
  preserved: PreservedType,
  node: ts.ParameterDeclaration,
  at: Point,
  name: string,
): Value {
  const id = machine.identities.of(`${preserved.name} ${String(numberOf(node))}`, at.frame);
  const { frame } = at;
  machine.observer.appeared(id, {
    preserved,
    place: node,
    description: name,
    frame,
    loop: null,
    isElement: false,
    forms: 0,
    value: null,
  });
  return opaque({ id, preserved, description: name, place: node });
}

export function typedAt(machine: Machine, node: ts.Node, at: Point, why: string): Value {
  const type = machine.queries.typeOfNode(node);
  return type === null
    ? unknownValue(why, node)
    : machine.typed(type, { ...sourceAt(node, at, node.getText().slice(0, 60), why), origin: FROM_CALL });
}

export function typedElements(machine: Machine, node: ts.Node, at: Point): Value {
  const type = machine.queries.typeOfNode(node);
  const element = type === null ? null : machine.queries.elementTypeOf(type);
  const why = 'what the list holds is stored elsewhere';
  return element === null
    ? unknownValue(why, node)
    : machine.typed(element, { ...sourceAt(node, at, 'an element', why), isElement: true });
}

export function readIndexed(machine: Machine, of: OpaqueValue, at: Point, node: ts.Node): Value {
  const element = of.type === null ? null : machine.queries.indexedTypeOf(of.type);
  if (element === null) {
    return opaque({
      origin: of.origin,
      unknown: of.unknown,
      description: of.description === '' ? 'an element' : `an element of ${of.description}`,
      place: of.place,
      references: of.references,
    });
  }
  return machine.typed(element, {
    ...sourceAt(node, at, `an element of ${of.description}`, 'the element is known by its type only'),
    tag: `${String(of.id)}[]`,
    origin: of.origin,
    references: of.references,
    isElement: true,
  });
}

/** Whether nothing is known of a value, not even its type. */
export function isUnknown(one: Alternative): boolean {
  return one.kind === 'opaque' && one.preserved === null && (one.unknown !== '' || one.type === null);
}

/** Of a value of which nothing is known, the type that is written for it is what there is to know. */
export function asWritten(machine: Machine, value: Value, type: ts.TypeNode, at: Point): Value {
  const [first] = value.alternatives;
  return first?.kind !== 'opaque'
    ? value
    : machine.typed(machine.queries.declaredType(type), {
        ...sourceAt(type.parent, at, first.description, 'it is known by the type that is written for it'),
        tag: `written ${String(numberOf(type))}`,
        origin: first.origin,
        references: referencesIn(value),
      });
}

function sourceAt(place: ts.Node, at: Point, description: string, why: string): TypedSource {
  return {
    place,
    tag: `at ${String(numberOf(place))}`,
    at,
    origin: 0,
    description,
    why,
    references: NO_REFERENCES,
  };
}
