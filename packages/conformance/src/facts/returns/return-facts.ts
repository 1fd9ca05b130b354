import { ts } from '../../../engine/typescript.mjs';
import type { LoadedProject } from '../../load/loaded-project.js';
import type { ReturnFact, UidOrigin } from '../../model/fact-base.js';
import type { WitnessStep } from '../../model/location.js';
import type { ReturnRecord } from '../interpret/frame.js';
import { calleeText } from '../interpret/calls.js';
import { awaited } from '../interpret/loops.js';
import { originOf } from '../interpret/operators.js';
import {
  ERROR,
  ERROR_WITH_TARGET,
  FAILED,
  WITH_TARGET,
  formsOfKind,
  shapeOf,
} from '../values/result-kinds.js';
import {
  FROM_ARGUMENTS,
  FROM_CALL,
  FROM_ELSEWHERE,
  type Alternative,
  type ObjectValue,
  type OpaqueValue,
  type ResultValue,
  type TargetValue,
  type Trail,
  type Value,
} from '../values/value.js';

const ERRORS = ERROR | ERROR_WITH_TARGET;

/** A fact, and the call that kept it from being known. */
export interface JudgedReturn {
  readonly fact: ReturnFact;
  readonly unresolved: ts.Node | null;
}

/** Says of each way in which a tool's code ends what comes back. */
export class ReturnJudge {
  readonly #project: LoadedProject;
  readonly #start: ts.Node;

  constructor(project: LoadedProject, start: ts.Node) {
    this.#project = project;
    this.#start = start;
  }

  judge(records: readonly Pick<ReturnRecord, 'value' | 'node'>[]): readonly JudgedReturn[] {
    const judged = new Map<string, JudgedReturn>();
    for (const { value, node } of records) {
      for (const one of this.#judgeValue(awaited(value), node)) {
        const { location, shape, target, uid, why } = one.fact;
        const key = JSON.stringify([location, shape, target, uid, why]);
        if (!judged.has(key)) {
          judged.set(key, one);
        }
      }
    }
    return [...judged.values()];
  }

  #judgeValue(value: Value, node: ts.Node): readonly JudgedReturn[] {
    const typed = new Map<number, ResultValue[]>();
    const facts: JudgedReturn[] = [];
    for (const alternative of value.alternatives) {
      if (alternative.kind === 'result') {
        if (alternative.typed !== '') {
          typed.set(alternative.id, [...(typed.get(alternative.id) ?? []), alternative]);
        } else {
          facts.push(this.#made(alternative, node));
        }
      } else {
        facts.push(this.#other(alternative, node));
      }
    }
    for (const alternatives of typed.values()) {
      facts.push(...this.#typed(alternatives, node));
    }
    return facts;
  }

  #made(result: ResultValue, node: ts.Node): JudgedReturn {
    const shape = shapeOf(result.form);
    const { target, uid, why, unresolved } = this.#target(result.target, result.form);
    return {
      fact: {
        shape,
        target,
        uid,
        location: this.#locate(result.place, node),
        why,
        witness: this.#witness(result.trail, result.place, node, `returns \`${shape}\``),
      },
      unresolved,
    };
  }

  #target(
    value: Value,
    form: number,
  ): Pick<ReturnFact, 'target' | 'uid' | 'why'> & { readonly unresolved: ts.Node | null } {
    if ((form & WITH_TARGET) === 0) {
      return { target: 'absent', uid: null, why: '', unresolved: null };
    }
    const targets = value.alternatives.filter((one): one is TargetValue => one.kind === 'target');
    const open = value.alternatives.find((one) => one.kind === 'opaque' && one.unknown !== '');
    const others = value.alternatives.length - targets.length;
    if (targets.length === 0 || others > 0) {
      const why =
        open?.kind === 'opaque'
          ? `the target is not known: ${open.unknown}`
          : 'what is given as its target is no write target';
      return { target: 'unknown', uid: null, why, unresolved: open?.kind === 'opaque' ? open.place : null };
    }
    const uid = uidOf(targets);
    return { target: 'present', uid, why: uid.kind === 'other' ? uid.why : '', unresolved: null };
  }

  /** Of a result known by its type: one fact where the type leaves one shape, else what all shapes share. */
  #typed(alternatives: readonly ResultValue[], node: ts.Node): readonly JudgedReturn[] {
    const forms = alternatives.reduce((all, { form }) => all | form, 0);
    if (alternatives.length === 1) {
      return alternatives.map((alternative) => this.#made(alternative, node));
    }
    if ((forms & ~FAILED) === 0) {
      return alternatives.map((alternative) => this.#failed(alternative, forms, node));
    }
    const [first] = alternatives;
    if (first === undefined) {
      return [];
    }
    const withTarget = alternatives.filter(({ form }) => (form & WITH_TARGET) !== 0).length;
    const shapes = [...new Set(alternatives.map(({ form }) => shapeOf(form)))].join(', ');
    return [
      {
        fact: {
          shape: 'unknown',
          target: withTarget === 0 ? 'absent' : withTarget === alternatives.length ? 'present' : 'unknown',
          uid: withTarget === alternatives.length ? { kind: 'call', why: '' } : null,
          location: this.#locate(first.place, node),
          why: `${first.typed}, and its type allows ${shapes}`,
          witness: this.#witness(first.trail, first.place, node, 'answers a result of a wide type'),
        },
        unresolved: first.place,
      },
    ];
  }

  /** A failure known by its type: where it may be one with a target and one without, its target is open. */
  #failed(alternative: ResultValue, forms: number, node: ts.Node): JudgedReturn {
    const judged = this.#made(alternative, node);
    const isOpen = (forms & ERRORS) === ERRORS && (alternative.form & ERRORS) !== 0;
    const why = `${alternative.typed}, and its type allows an error with a target and one without`;
    return isOpen
      ? { fact: { ...judged.fact, target: 'unknown', uid: null, why }, unresolved: alternative.place }
      : judged;
  }

  #other(alternative: Exclude<Alternative, ResultValue>, node: ts.Node): JudgedReturn {
    if (alternative.kind === 'object' && alternative.collection === null && alternative.of === null) {
      const shaped = this.#shaped(alternative, node);
      if (shaped !== null) {
        return shaped;
      }
    }
    if (alternative.kind === 'opaque' && (alternative.unknown !== '' || isOpen(alternative))) {
      const why =
        alternative.unknown === ''
          ? `it is not known what \`${alternative.description}\` is`
          : alternative.unknown;
      return {
        fact: {
          shape: 'unknown',
          target: 'unknown',
          uid: null,
          location: this.#locate(alternative.place ?? node, node),
          why,
          witness: this.#witness(null, alternative.place ?? node, node, `answers what is not known: ${why}`),
        },
        unresolved: alternative.place,
      };
    }
    if (alternative.kind === 'external') {
      const why = `\`${alternative.path}\` of ${alternative.module === '' ? 'the surroundings' : alternative.module} is not known`;
      return this.#unknown(why, node);
    }
    const what = describe(alternative);
    const message = ts.isFunctionLike(node) ? 'ends without a return' : `returns ${what}`;
    return {
      fact: {
        shape: 'none',
        target: 'absent',
        uid: null,
        location: this.#locate(node, node),
        why: `${what} is no tool result`,
        witness: this.#witness(null, node, node, message),
      },
      unresolved: null,
    };
  }

  /** A copy of a result, or an object that is passed off as one, is judged by what it says it is. */
  #shaped(object: ObjectValue, node: ts.Node): JudgedReturn | null {
    const kind = object.properties.get('kind')?.alternatives ?? [];
    const forms = kind.reduce((all, one) => all | (one.kind === 'literal' ? formsOfKind(one.value) : 0), 0);
    const target = object.properties.get('target');
    if (forms === 0 && target === undefined) {
      return object.others === null
        ? null
        : this.#unknown('what is spread into the result is not known', node);
    }
    const targets = (target?.alternatives ?? []).filter((one): one is TargetValue => one.kind === 'target');
    const isCertain = targets.length > 0 && targets.length === target?.alternatives.length;
    return {
      fact: {
        shape: 'none',
        target: isCertain ? 'present' : targets.length > 0 ? 'unknown' : 'absent',
        uid: isCertain ? uidOf(targets) : null,
        location: this.#locate(object.place, node),
        why: 'an object with the fields of a result is no tool result: it was not made by ToolResult',
        witness: this.#witness(null, object.place, node, 'returns an object with the fields of a result'),
      },
      unresolved: null,
    };
  }

  #unknown(why: string, node: ts.Node): JudgedReturn {
    return {
      fact: {
        shape: 'unknown',
        target: 'unknown',
        uid: null,
        location: this.#locate(node, node),
        why,
        witness: this.#witness(null, node, node, `answers what is not known: ${why}`),
      },
      unresolved: node,
    };
  }

  /** Where something lies, or where it is returned if it lies outside the project's own code. */
  #locate(place: ts.Node, fallback: ts.Node): ReturnFact['location'] {
    return this.#project.locate(this.#isOwn(place) ? place : fallback);
  }

  #isOwn(node: ts.Node): boolean {
    return this.#project.ownFiles.includes(node.getSourceFile());
  }

  #witness(trail: Trail | null, place: ts.Node, fallback: ts.Node, message: string): readonly WitnessStep[] {
    const calls: WitnessStep[] = [];
    for (let step = trail; step !== null; step = step.inner) {
      if (this.#isOwn(step.call) && step.call !== this.#start) {
        calls.push({ ...this.#project.locate(step.call), message: `calls \`${calleeText(step.call)}\`` });
      }
    }
    return [
      { ...this.#project.locate(this.#start), message: 'the tool starts here' },
      ...calls,
      { ...this.#locate(place, fallback), message },
    ];
  }
}

function isOpen(value: OpaqueValue): boolean {
  return value.type === null && value.preserved === null && value.origin !== FROM_ELSEWHERE;
}

function describe(alternative: Alternative): string {
  switch (alternative.kind) {
    case 'literal':
      return alternative.value === undefined
        ? 'nothing'
        : `the constant ${JSON.stringify(String(alternative.value)).slice(0, 40)}`;
    case 'target':
      return 'a bare write target';
    case 'object':
      return alternative.collection === 'array' ? 'a list' : 'a plain object';
    case 'opaque':
      return alternative.description === '' ? 'a value' : alternative.description;
    case 'function':
    case 'native':
    case 'class':
      return 'a function';
    default:
      return 'a value';
  }
}

function uidOf(targets: readonly TargetValue[]): UidOrigin {
  const origins = targets.flatMap(({ uid }) => uid.alternatives.map(uidOrigin));
  const other = origins.find(({ kind }) => kind === 'other');
  const fromCall = origins.find(({ kind }) => kind === 'call');
  return other ?? fromCall ?? origins[0] ?? { kind: 'other', why: 'the uid has no value' };
}

function uidOrigin(alternative: Alternative): UidOrigin {
  if (alternative.kind === 'literal') {
    return { kind: 'other', why: `the uid is the constant ${JSON.stringify(String(alternative.value))}` };
  }
  const origin = originOf(alternative);
  if ((origin & FROM_ELSEWHERE) !== 0) {
    const what = alternative.kind === 'opaque' ? alternative.description : 'time, chance or the environment';
    return { kind: 'other', why: `the uid comes from ${what}` };
  }
  if (alternative.kind === 'opaque' && alternative.unknown !== '' && origin === 0) {
    return { kind: 'other', why: `where the uid comes from is not known: ${alternative.unknown}` };
  }
  if ((origin & FROM_CALL) !== 0) {
    return { kind: 'call', why: '' };
  }
  if ((origin & FROM_ARGUMENTS) !== 0) {
    return { kind: 'arguments', why: '' };
  }
  const what =
    alternative.kind === 'opaque' && alternative.description !== ''
      ? `\`${alternative.description}\``
      : 'a constant';
  return { kind: 'other', why: `the uid comes from ${what}, neither the input nor what the write answered` };
}
