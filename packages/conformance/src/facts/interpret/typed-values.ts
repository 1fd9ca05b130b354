import type { ts } from '../../../engine/typescript.mjs';
import { EMPTY, NO_GUARD, PRESENT, type Guard } from '../values/guard.js';
import { join } from '../values/join.js';
import { FALSE, NEVER, NULL, TRUE, UNDEFINED, literal, opaque, promise } from '../values/make.js';
import { reference, union } from '../values/references.js';
import { WITH_TARGET, formsIn } from '../values/result-kinds.js';
import {
  FROM_CALL,
  type Alternative,
  type OpaqueValue,
  type ResultValue,
  type Value,
} from '../values/value.js';
import { RESULT, TARGET, type PreservedType } from '../queries/preserved-types.js';
import type { LiveValue, Machine, TypedSource } from './machine.js';

const DEEPEST = 3;

/** The value of something of which only the type is known. */
export function typedValue(machine: Machine, type: ts.Type, source: TypedSource): Value {
  const shape = machine.queries.shapeOf(type);
  if (shape.isNever) {
    return NEVER;
  }
  const parts: Value[] = [];
  const depth = source.depth ?? 0;
  if (shape.forms !== 0) {
    parts.push(typedResult(machine, shape.forms, source));
  }
  if (shape.isTarget) {
    parts.push(typedTarget(machine, source));
  }
  for (const inner of shape.promised) {
    parts.push(promise(typedValue(machine, inner, source)));
  }
  for (const array of shape.arrays) {
    const places = depth < DEEPEST ? machine.queries.tupleTypesOf(array) : null;
    if (places !== null) {
      parts.push(typedTuple(machine, places, source, depth));
      continue;
    }
    const element = depth < DEEPEST ? machine.queries.elementTypeOf(array) : null;
    const others =
      element === null
        ? opaque({ origin: source.origin, references: source.references, description: source.description })
        : typedValue(machine, element, {
            ...source,
            tag: `${source.tag}[]`,
            isElement: true,
            depth: depth + 1,
          });
    const object = machine.newObject(source.place, source.at, { collection: 'array', others });
    const id = machine.identities.of(`array ${source.tag}`, source.at.frame);
    parts.push({ alternatives: [{ ...object, id, references: source.references }] });
  }
  for (const { preserved, type: inner } of shape.preserved) {
    parts.push(typedPreserved(machine, preserved, inner, source));
  }
  if (shape.hasNull) {
    parts.push(literal(null, source.references));
  }
  if (shape.hasUndefined) {
    parts.push(source.references.size === 0 ? UNDEFINED : literal(undefined, source.references));
  }
  if (shape.hasBoolean) {
    parts.push(...[TRUE, FALSE].map((value) => withReferences(value, source)));
  }
  const [first] = shape.others;
  if (shape.isOpen || first !== undefined || shape.literals.length > 0) {
    parts.push(
      opaque({
        ...basics(machine, source),
        unknown: shape.isOpen ? source.why : '',
        type: shape.isOpen ? null : shape.others.length === 1 && first !== undefined ? first : type,
      }),
    );
  }
  return join(...parts);
}

function typedTuple(machine: Machine, places: readonly ts.Type[], source: TypedSource, depth: number): Value {
  const properties = new Map(
    places.map((place, index) => {
      const tag = `${source.tag}.${String(index)}`;
      return [String(index), typedValue(machine, place, { ...source, tag, depth: depth + 1 })] as const;
    }),
  );
  const object = machine.newObject(source.place, source.at, { collection: 'array', properties });
  const id = machine.identities.of(`array ${source.tag}`, source.at.frame);
  return { alternatives: [{ ...object, id, references: source.references }] };
}

function withReferences(value: Value, source: TypedSource): Value {
  return { alternatives: value.alternatives.map((one) => ({ ...one, references: source.references })) };
}

function basics(machine: Machine, source: TypedSource): Partial<OpaqueValue> {
  return {
    origin: source.origin,
    description: source.description,
    place: source.place,
    references: source.references,
    symbol: source.symbol ?? null,
    receiver: source.receiver ?? null,
    id: machine.identities.shared(source.tag),
  };
}

function typedResult(machine: Machine, forms: number, source: TypedSource): Value {
  const id = machine.identities.of(`result ${source.tag}`, source.at.frame);
  machine.observer.appeared(id, liveValue(RESULT, source, forms));
  const text = opaque({ origin: source.origin, description: `content of ${source.description}` });
  const artifacts = opaque({ description: `artifacts of ${source.description}` });
  const alternatives = formsIn(forms).map((form): ResultValue => ({
    kind: 'result',
    id,
    form,
    content: text,
    artifacts,
    target:
      (form & WITH_TARGET) === 0 ? NULL : typedTarget(machine, { ...source, tag: `${source.tag}.target` }),
    place: source.place,
    typed: source.why,
    typedForms: forms,
    trail: null,
    references: source.references,
    when: NO_GUARD,
  }));
  return { alternatives };
}

function typedTarget(machine: Machine, source: TypedSource): Value {
  const id = machine.identities.of(`target ${source.tag}`, source.at.frame);
  machine.observer.appeared(id, liveValue(TARGET, source));
  const origin = source.origin === 0 ? FROM_CALL : source.origin;
  return {
    alternatives: [
      {
        kind: 'target',
        id,
        table: opaque({ origin, description: `table of ${source.description}` }),
        uid: opaque({ origin, description: `uid of ${source.description}` }),
        place: source.place,
        references: source.references,
        when: NO_GUARD,
      },
    ],
  };
}

function typedPreserved(
  machine: Machine,
  preserved: PreservedType,
  type: ts.Type,
  source: TypedSource,
): Value {
  const id = machine.identities.of(`${preserved.name} ${source.tag}`, source.at.frame);
  machine.observer.appeared(id, liveValue(preserved, source));
  return opaque({ ...basics(machine, source), id, type, preserved });
}

function liveValue(preserved: PreservedType, source: TypedSource, forms = 0): LiveValue {
  const { frame } = source.at;
  return {
    preserved,
    place: source.place,
    description: source.description,
    frame,
    loop: frame.loops.at(-1) ?? null,
    isElement: source.isElement ?? false,
    forms,
    value: null,
  };
}

/**
 * A field of a preserved value that is known by its type: when it may be empty, both forms, each
 * remembering which it is, so that a condition on it decides what is lost where.
 */
export function preservedField(machine: Machine, of: OpaqueValue, name: string, value: Value): Value {
  const field = of.preserved?.fields?.find((one) => one.name === name);
  const references = union(of.references, new Set([reference(of.id, name)]));
  const subject = machine.identities.ofField(of.id, name);
  const marked = (alternative: Alternative, form: number | null): Alternative => {
    const when: Guard = form === null ? alternative.when : new Map([...alternative.when, [subject, form]]);
    return { ...alternative, references: union(alternative.references, references), when };
  };
  const alternatives = value.alternatives.map((one) => {
    if (one.kind !== 'literal') {
      return marked(one.kind === 'opaque' ? { ...one, isTruthy: true } : one, PRESENT);
    }
    return marked(one, one.value === true ? PRESENT : isEmptyLiteral(one.value) ? EMPTY : PRESENT);
  });
  const hasEmpty = alternatives.some((one) => one.when.get(subject) === EMPTY);
  if (!hasEmpty && (field?.isOptional ?? true)) {
    const absent: Alternative = {
      kind: 'literal',
      value: undefined,
      references,
      when: new Map([[subject, EMPTY]]),
    };
    return { alternatives: [...alternatives, absent] };
  }
  // A field that is never empty needs no forms.
  return { alternatives: hasEmpty ? alternatives : value.alternatives.map((one) => marked(one, null)) };
}

function isEmptyLiteral(value: unknown): boolean {
  return value === undefined || value === null || value === false;
}
