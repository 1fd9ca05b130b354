import type { ts } from '../../../engine/typescript.mjs';
import type { Evaluator } from '../../compiler/evaluator.js';
import type { PossibleValues } from '../../compiler/possible-values.js';
import type { StaticValue, UnknownValue } from '../../compiler/static-value.js';
import type { LoadedProject } from '../../load/loaded-project.js';
import type { Effect, EffectFact } from '../../model/fact-base.js';
import type { HINT_KEYS } from './contract.js';

type HintKey = (typeof HINT_KEYS)[number];
type Hint = { readonly kind: 'absent' } | { readonly kind: 'given'; readonly value: boolean } | UnknownValue;

/** What an annotations object says, hint by hint. */
export interface Hints {
  readonly node: ts.Node | null;
  readonly readOnlyHint: Hint;
  readonly destructiveHint: Hint;
  readonly idempotentHint: Hint;
}

/** Reads hints out of a value, with presets, spreads, helpers and defaults worked out. */
export class HintReader {
  readonly #project: LoadedProject;
  readonly #evaluator: Evaluator;
  readonly #possible: PossibleValues;

  constructor(project: LoadedProject, evaluator: Evaluator, possible: PossibleValues) {
    this.#project = project;
    this.#evaluator = evaluator;
    this.#possible = possible;
  }

  /** The effect that hints claim. Absent is not false: a tool without any claims nothing. */
  effectOf(annotations: readonly StaticValue[], definition: ts.Node): EffectFact {
    const read = annotations.map((value) => this.#read(value));
    const said = read.find(saysSomething) ?? null;
    const location = this.#project.locate(said?.node ?? definition);
    if (said === null) {
      const undecided = read.map(({ readOnlyHint }) => readOnlyHint).find((hint) => hint.kind === 'unknown');
      return undecided?.kind === 'unknown'
        ? this.#unknown(undecided, location)
        : { kind: 'absent', value: null, location, why: 'no hint is given', witness: [], hint: null };
    }
    const { readOnlyHint, idempotentHint } = said;
    if (readOnlyHint.kind === 'unknown') {
      return this.#unknown(readOnlyHint, location);
    }
    if (readOnlyHint.kind === 'given' && readOnlyHint.value) {
      return this.#constant('read_only', said, location);
    }
    if (idempotentHint.kind === 'unknown') {
      return this.#unknown(idempotentHint, location);
    }
    const isIdempotent = idempotentHint.kind === 'given' && idempotentHint.value;
    return this.#constant(isIdempotent ? 'idempotent_write' : 'non_idempotent_write', said, location);
  }

  /** Whether a value is an object that has hints, rather than one that only may. */
  hasHints(value: StaticValue): boolean {
    return saysSomething(this.#read(value));
  }

  #read(value: StaticValue): Hints {
    return {
      node: 'node' in value ? value.node : null,
      readOnlyHint: this.#hint(value, 'readOnlyHint'),
      destructiveHint: this.#hint(value, 'destructiveHint'),
      idempotentHint: this.#hint(value, 'idempotentHint'),
    };
  }

  #hint(value: StaticValue, key: HintKey): Hint {
    const folded = this.#evaluator.fold(this.#evaluator.property(value, key));
    if (folded.kind === 'constant') {
      return folded.value === undefined || folded.value === null
        ? { kind: 'absent' }
        : { kind: 'given', value: Boolean(folded.value) };
    }
    const possible = this.#possible.member(value, key).map((one) => this.#evaluator.fold(one));
    const [only] = possible;
    return possible.length === 1 && only?.kind === 'constant' && folded.verdict !== 'not_constant'
      ? { kind: 'given', value: Boolean(only.value) }
      : folded;
  }

  #constant(value: Effect, said: Hints, location: EffectFact['location']): EffectFact {
    return { kind: 'constant', value, location, why: '', witness: [], hint: describe(said) };
  }

  #unknown(cause: UnknownValue, location: EffectFact['location']): EffectFact {
    return {
      kind: cause.verdict === 'not_constant' ? 'not_constant' : 'undecided',
      value: null,
      location,
      why: cause.why,
      witness: [{ ...this.#project.locate(cause.node), message: `the hint is decided here: ${cause.why}` }],
      hint: null,
    };
  }
}

/** `title` and `openWorldHint` say nothing of writes. */
function saysSomething({ readOnlyHint, destructiveHint, idempotentHint }: Hints): boolean {
  return [readOnlyHint, destructiveHint, idempotentHint].some(({ kind }) => kind === 'given');
}

function describe(hints: Hints): string {
  const shown = (['readOnlyHint', 'destructiveHint', 'idempotentHint'] as const).flatMap((key) => {
    const hint = hints[key];
    return hint.kind === 'given' ? [`${key}: ${String(hint.value)}`] : [];
  });
  return hints.readOnlyHint.kind === 'absent'
    ? [...shown, 'no readOnlyHint, which in MCP means false'].join(', ')
    : shown.join(', ');
}
