import { ts } from '../../../engine/typescript.mjs';
import type { Frame } from '../interpret/frame.js';
import type { LiveValue, Machine, Observer } from '../interpret/machine.js';
import { awaited } from '../interpret/loops.js';
import type { PreservedField, PreservedType } from '../queries/preserved-types.js';
import { RESULT, TARGET } from '../queries/preserved-types.js';
import { possible, referencesIn } from '../values/join.js';
import { NO_REFERENCES, parseReference, union } from '../values/references.js';
import { WITH_TARGET, shapeOf } from '../values/result-kinds.js';
import { NO_GUARD, both } from '../values/guard.js';
import type { Alternative, ObjectValue, Point, ResultValue, TargetValue, Value } from '../values/value.js';
import { AtHand } from './at-hand.js';
import { KEPT, dropped, fatesOfResult, formsUnder, type Fate, type Source } from './field-fates.js';
import { fatesOfObject, fatesOfTarget } from './object-fates.js';
import type { RebuildSites } from './rebuild-sites.js';

interface Pending {
  readonly object: ObjectValue;
  readonly preserved: PreservedType;
}

/** Sees every preserved value that is made, and compares it with the ones it is made from. */
export class RebuildDetector implements Observer {
  readonly #sites: RebuildSites;
  readonly #atHand = new AtHand();
  readonly #judged = new Set<string>();
  readonly #pending = new Map<number, Pending[]>();
  #machine: Machine | null = null;

  constructor(sites: RebuildSites) {
    this.#sites = sites;
  }

  attach(machine: Machine): void {
    this.#machine = machine;
  }

  appeared(id: number, live: LiveValue): void {
    this.#atHand.note(id, live);
  }

  resultMade(result: ResultValue, node: ts.Node, at: Point): void {
    const parts = [result.content, result.artifacts, result.target];
    const sources = this.#sourcesOf(parts, RESULT, node, at);
    this.#atHand.note(result.id, {
      preserved: RESULT,
      place: node,
      description: `the \`${shapeOf(result.form)}\` that was made`,
      frame: at.frame,
      loop: at.frame.loops.at(-1) ?? null,
      isElement: false,
      forms: result.form,
      value: result,
    });
    for (const source of sources) {
      this.#sites.add(this.#siteOf(source, node, at), source, RESULT, fatesOfResult(result, source), node);
    }
  }

  targetMade(target: TargetValue, node: ts.Node, at: Point): void {
    const sources = this.#sourcesOf([target.table, target.uid], TARGET, node, at);
    this.#atHand.note(target.id, {
      preserved: TARGET,
      place: node,
      description: 'the target that was made',
      frame: at.frame,
      loop: at.frame.loops.at(-1) ?? null,
      isElement: false,
      forms: 0,
      value: target,
    });
    for (const source of sources) {
      const fates = fatesOfTarget(target, source);
      if (fates !== null) {
        this.#sites.add(this.#siteOf(source, node, at), source, TARGET, fates, node);
      }
    }
  }

  objectMade(object: ObjectValue, preserved: PreservedType, at: Point): void {
    const waiting = this.#pending.get(at.frame.id) ?? [];
    waiting.push({ object, preserved });
    this.#pending.set(at.frame.id, waiting);
  }

  literalMade(object: ObjectValue, at: Point): void {
    if (object.preserved === null && this.#hasSource(object, at)) {
      const preserved = this.#machine?.expectedAt(object.place) ?? null;
      if (preserved !== null) {
        this.objectMade(object, preserved, at);
      }
    }
  }

  ended(frame: Frame, at: Point): void {
    const waiting = this.#pending.get(frame.id) ?? [];
    this.#pending.delete(frame.id);
    for (const { object, preserved } of waiting) {
      this.#judgeObject(object, preserved, { at, place: object.place, isEnd: true });
    }
  }

  returned(value: Value, node: ts.Node, at: Point): void {
    for (const alternative of awaited(value).alternatives) {
      if (alternative.kind === 'object' && alternative.collection === null) {
        this.#judgeReturned(alternative, node, at);
      } else if (alternative.kind === 'result' && alternative.typed === '') {
        this.#judgeFresh(alternative, node, at);
      }
    }
  }

  replaced(before: Value, after: Value, node: ts.Node, at: Point): void {
    for (const made of after.alternatives) {
      if (made.kind !== 'result' || made.typed !== '' || (made.form & WITH_TARGET) !== 0) {
        continue;
      }
      for (const live of possible(before, at.state.guard).alternatives) {
        if (
          live.kind === 'result' &&
          this.#isLost(live, made, at) &&
          !this.#atHand.isOfAnotherRound(live.id, node, at)
        ) {
          this.#fresh(live, made, assignedAt(node), at);
        }
      }
    }
  }

  /** A new result, made from nothing of the ones at hand, is returned in their place. */
  #judgeFresh(made: ResultValue, node: ts.Node, at: Point): void {
    if ((made.form & WITH_TARGET) !== 0) {
      return;
    }
    for (const { value, declaration } of this.#atHand.heldAt(node, at)) {
      for (const live of possible(value, at.state.guard).alternatives) {
        if (
          live.kind === 'result' &&
          this.#isLost(live, made, at) &&
          !this.#atHand.isOfAnotherRound(live.id, declaration, at)
        ) {
          this.#fresh(live, made, node, at);
        }
      }
    }
  }

  #isLost(live: ResultValue, made: ResultValue, at: Point): boolean {
    const together = both(made.when, live.when);
    if (live.id === made.id || together === null || both(at.state.guard, together) === null) {
      return false;
    }
    const known = this.#atHand.get(live.id);
    if (known === undefined || this.#comesFrom(made, live.id)) {
      return false;
    }
    const source = this.#source(live.id, known, at);
    return (formsUnder(source, made.when) & live.form & WITH_TARGET) !== 0;
  }

  #comesFrom(made: ResultValue, id: number): boolean {
    const references = union(
      made.references,
      [made.content, made.artifacts, made.target].reduce(
        (all, part) => union(all, referencesIn(part)),
        NO_REFERENCES,
      ),
    );
    return [...references].some((text) => parseReference(text).id === id);
  }

  #fresh(live: ResultValue, made: ResultValue, node: ts.Node, at: Point): void {
    const known = this.#atHand.get(live.id);
    if (known === undefined) {
      return;
    }
    const source = this.#source(live.id, known, at);
    const fates = new Map<string, Fate>([
      ['content', KEPT],
      ['isError', KEPT],
      ['artifacts', KEPT],
      [
        'target',
        dropped(
          `a new \`${shapeOf(made.form)}\` is returned while the result is at hand, and its target is not known to be null`,
        ),
      ],
    ]);
    const site = isWithin(made.place, at.frame.node) ? made.place : node;
    this.#sites.add(site, source, RESULT, fates, made.place);
  }

  #judgeReturned(object: ObjectValue, node: ts.Node, at: Point): void {
    const place = isWithin(object.place, at.frame.node) ? object.place : answerAt(node);
    const waiting = this.#pending.get(at.frame.id) ?? [];
    const index = waiting.findIndex((one) => one.object.id === object.id);
    const [found] = index === -1 ? [] : waiting.splice(index, 1);
    if (found !== undefined) {
      this.#judgeObject(object, found.preserved, { at, place });
      return;
    }
    const preserved = this.#answered(object, at);
    if (preserved !== null) {
      this.#judgeObject(object, preserved, { at, place });
    }
  }

  /** What an object is that a function answers: by what the function declares, or else by what it looks like. */
  #answered(object: ObjectValue, at: Point): PreservedType | null {
    const machine = this.#machine;
    if (machine === null) {
      return null;
    }
    const declared = machine.declaredAnswer(at.frame, object, () => this.#hasSource(object, at));
    return declared === null || (declared.kind === 'result' && isUndeclared(at.frame.node))
      ? (this.#lookingLike(object, machine, at) ?? declared)
      : declared;
  }

  /** Where no type is written for an answer, it is one of the source's type if it has nothing but fields of that. */
  #lookingLike(object: ObjectValue, machine: Machine, at: Point): PreservedType | null {
    if (!isUndeclared(at.frame.node) || object.of !== null || !ts.isExpression(object.place)) {
      return null;
    }
    const sources = this.#currentSources(object, at).filter(
      ({ preserved }) => preserved.kind === 'mcp' || preserved.kind === 'marked',
    );
    const names = [...machine.propertiesOf(object, at).keys()];
    const fitting = sources.find(({ preserved: { fields } }) => fields !== null && fits(names, fields));
    if (fitting === undefined) {
      return null;
    }
    const expected = machine.queries.expectedOf(object.place);
    switch (expected.kind) {
      case 'type':
        return preservedIn(machine, expected.type, fitting.preserved, 0);
      case 'inferred':
        // `{ content }` says what it is; of a type of one's own a part of the fields may be anything.
        return fitting.preserved.kind === 'mcp' ? fitting.preserved : null;
      case 'elsewhere':
        return null;
    }
  }

  #hasSource(object: ObjectValue, at: Point): boolean {
    return this.#currentSources(object, at).length > 0;
  }

  #currentSources(object: ObjectValue, at: Point): readonly LiveValue[] {
    const value = this.#machine?.current({ alternatives: [object] }, at) ?? { alternatives: [object] };
    return [...referencesIn(value)].flatMap((text) => {
      const { id } = parseReference(text);
      const live = this.#atHand.get(id);
      return live !== undefined && this.#atHand.isCurrent(id, object.place, at) ? [live] : [];
    });
  }

  #judgeObject(
    object: ObjectValue,
    preserved: PreservedType,
    { at, place, isEnd = false }: { readonly at: Point; readonly place: ts.Node; readonly isEnd?: boolean },
  ): void {
    const machine = this.#machine;
    if (machine === null) {
      return;
    }
    const assigned = isEnd ? machine.everAssigned(object) : machine.propertiesOf(object, at);
    // What was put into a list since it became a property is in the list.
    const properties = new Map([...assigned].map(([name, value]) => [name, machine.current(value, at)]));
    const others = machine.othersOf(object, at);
    const parts = [...properties.values(), ...(others === null ? [] : [others])];
    const whole = { alternatives: [{ ...object, properties: new Map(), others: null }] };
    for (const source of this.#sourcesOf([...parts, whole], preserved, place, at)) {
      const fates = fatesOfObject({ machine, properties, others, preserved }, source);
      // Judged where it was made, it is not judged again where it is handed on.
      const judgement = `${String(object.id)} ${String(source.id)}`;
      const isKnown = this.#judged.has(judgement) && place !== object.place;
      this.#judged.add(judgement);
      if (fates !== null && !isKnown) {
        this.#sites.add(this.#siteOf(source, place, at), source, preserved, fates, object.place);
      }
    }
  }

  /** The live values of one type that the parts of a new value come from. Of several at once, it is none's rebuild. */
  #sourcesOf(parts: readonly Value[], preserved: PreservedType, node: ts.Node, at: Point): readonly Source[] {
    const single = new Set<number>();
    const joint = new Set<number>();
    for (const part of parts) {
      for (const alternative of part.alternatives) {
        const ids = this.#idsIn(alternative, preserved, node, at);
        const [only, ...more] = ids;
        if (only !== undefined && more.length === 0) {
          ids.forEach((id) => single.add(id));
        } else {
          ids.forEach((id) => joint.add(id));
        }
      }
    }
    return [...single]
      .filter((id) => !joint.has(id))
      .flatMap((id): readonly Source[] => {
        const live = this.#atHand.get(id);
        return live === undefined ? [] : [this.#source(id, live, at, node)];
      });
  }

  #source(id: number, live: LiveValue, at: Point, node: ts.Node | null = null): Source {
    const identities = this.#machine?.identities;
    return {
      id,
      live,
      guard: at.state.guard,
      when: node === null ? NO_GUARD : this.#atHand.whenThere(id, node, at),
      subjectOf: (field) => identities?.ofField(id, field) ?? 0,
    };
  }

  #idsIn(alternative: Alternative, preserved: PreservedType, node: ts.Node, at: Point): readonly number[] {
    const ids = new Set<number>();
    for (const text of referencesIn({ alternatives: [alternative] })) {
      const { id } = parseReference(text);
      const live = this.#atHand.get(id);
      if (live?.preserved.kind === preserved.kind && live.preserved.name === preserved.name) {
        if (this.#atHand.isCurrent(id, node, at)) {
          ids.add(id);
        }
      }
    }
    return [...ids];
  }

  /** Where the function that has the source at hand makes the new value, itself or by a call. */
  #siteOf(source: Source, node: ts.Node, at: Point): ts.Node {
    return this.#atHand.placeIn(source.id, node, at);
  }
}

const DEEPEST_TYPE = 3;

/** The preserved type in a list or a promise; where it can be anything, the one that it looks like. */
function preservedIn(
  machine: Machine,
  type: ts.Type,
  looked: PreservedType,
  depth: number,
): PreservedType | null {
  const shape = machine.queries.shapeOf(type);
  const inner = [
    ...shape.promised,
    ...shape.arrays.flatMap((list) => machine.queries.elementTypeOf(list) ?? []),
  ].map((part) => (depth < DEEPEST_TYPE ? preservedIn(machine, part, looked, depth + 1) : null));
  return machine.preservedTypeIn(type) ?? inner.find((one) => one !== null) ?? (shape.isOpen ? looked : null);
}

function isUndeclared(node: ts.Node): boolean {
  return ts.isFunctionLike(node) && node.type === undefined;
}

/** Whether an object with these properties could be passed as one with those fields, and has nothing else. */
function fits(names: readonly string[], fields: readonly PreservedField[]): boolean {
  return (
    names.length > 0 &&
    names.every((name) => fields.some((field) => field.name === name)) &&
    fields.every(({ name, isOptional }) => isOptional || names.includes(name))
  );
}

/** What a return statement returns. */
function answerAt(node: ts.Node): ts.Node {
  return (ts.isReturnStatement(node) ? node.expression : undefined) ?? node;
}

/** What is assigned, by the variable that it is assigned to. */
function assignedAt(node: ts.Node): ts.Node {
  const { parent } = node;
  return ts.isBinaryExpression(parent) && parent.left === node ? parent.right : node;
}

function isWithin(node: ts.Node, container: ts.Node): boolean {
  for (
    let current: ts.Node | undefined = node;
    current !== undefined;
    current = current.parent as ts.Node | undefined
  ) {
    if (current === container) {
      return true;
    }
    if (ts.isFunctionLike(current)) {
      return false;
    }
  }
  return false;
}
