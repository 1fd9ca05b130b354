import { EFFECT_MEMBERS, TOOL_MEMBERS } from '@toolwright/sdk/contract-names';
import type { ts } from '../../../engine/typescript.mjs';
import type { Evaluator } from '../../compiler/evaluator.js';
import { type Expansion, expandParameter } from '../../compiler/expand-parameter.js';
import type { Bindable, Folded, StaticValue, UnknownValue } from '../../compiler/static-value.js';
import type { ToolDefinition } from '../../discover/discovered-tool.js';
import type { LoadedProject } from '../../load/loaded-project.js';
import type { Effect, EffectFact, NameFact } from '../../model/fact-base.js';
import type { WitnessStep } from '../../model/location.js';
import type { DefinitionSite } from './find-definitions.js';

/** A factory that is called through factories makes no more tools than this; the rest stays unnamed. */
const MAX_EXPANSIONS = 500;
const MAX_DEPTH = 8;

const EFFECTS: readonly string[] = Object.values(EFFECT_MEMBERS);

/** A definition with the parameters that its name depends on filled in. */
interface Instance {
  readonly value: StaticValue;
  readonly steps: readonly WitnessStep[];
}

/** Reads one place's tools: one, or as many as a factory's callers give it names. */
export function readDefinition(
  project: LoadedProject,
  evaluator: Evaluator,
  site: DefinitionSite,
): readonly ReadDefinition[] {
  const reader = new DefinitionReader(project, evaluator, site.node);
  return reader
    .instancesOf({ value: site.value, steps: [] }, MAX_DEPTH)
    .map((instance) => ({ definition: reader.read(instance), value: instance.value }));
}

/** A tool as it is defined, and what it is defined by. */
export interface ReadDefinition {
  readonly definition: ToolDefinition;
  readonly value: StaticValue;
}

class DefinitionReader {
  readonly #project: LoadedProject;
  readonly #evaluator: Evaluator;
  readonly #node: ts.Node;
  #expansions = 0;

  constructor(project: LoadedProject, evaluator: Evaluator, node: ts.Node) {
    this.#project = project;
    this.#evaluator = evaluator;
    this.#node = node;
  }

  /** The tools that a definition stands for: as many as the callers that its name depends on. */
  instancesOf(instance: Instance, depth: number): readonly Instance[] {
    const name = this.#evaluator.fold(this.#member(instance.value, TOOL_MEMBERS.name));
    if (name.kind === 'constant' || name.parameter === undefined || depth === 0) {
      return [instance];
    }
    const expansions = this.#expand(instance.value, name.parameter);
    return expansions.length === 0
      ? [instance]
      : expansions.flatMap((expansion) =>
          this.instancesOf(
            { value: expansion.value, steps: [...instance.steps, this.#stepOf(expansion)] },
            depth - 1,
          ),
        );
  }

  read(instance: Instance): ToolDefinition {
    return {
      framework: 'toolwright',
      node: this.#node,
      name: this.#nameOf(instance),
      effect: this.#effectOf(instance, MAX_DEPTH),
      execute: this.#codeOf(instance.value, TOOL_MEMBERS.execute),
      preview: this.#codeOf(instance.value, TOOL_MEMBERS.preview),
      previewGuard: this.#codeOf(instance.value, TOOL_MEMBERS.mayViewPreview),
    };
  }

  #nameOf({ value }: Instance): NameFact {
    const member = this.#member(value, TOOL_MEMBERS.name);
    const name = this.#evaluator.fold(member);
    const location = this.#project.locate(this.#placeOf(member));
    if (name.kind === 'constant') {
      return typeof name.value === 'string'
        ? { value: name.value, location, why: '' }
        : { value: null, location, why: name.value === undefined ? 'none is given' : 'it is no text' };
    }
    return { value: null, location, why: this.#reason(name) };
  }

  #effectOf(instance: Instance, depth: number): EffectFact {
    const member = this.#member(instance.value, TOOL_MEMBERS.effect);
    const folded = this.#evaluator.fold(member);
    const location = this.#project.locate(this.#placeOf(member));
    if (folded.kind === 'constant') {
      return this.#constantEffect(folded, member, location);
    }
    const expansions =
      folded.parameter === undefined || depth === 0 ? [] : this.#expand(instance.value, folded.parameter);
    if (expansions.length > 0) {
      const facts = expansions.map((expansion) =>
        this.#effectOf(
          { value: expansion.value, steps: [...instance.steps, this.#stepOf(expansion)] },
          depth - 1,
        ),
      );
      return joinEffects(facts, location);
    }
    return {
      kind: folded.verdict === 'not_constant' ? 'not_constant' : 'undecided',
      value: null,
      location,
      why: this.#reason(folded),
      witness: [
        ...instance.steps,
        { ...this.#project.locate(folded.node), message: `the effect is decided here: ${folded.why}` },
      ],
    };
  }

  #constantEffect(
    { value }: Folded & { kind: 'constant' },
    member: StaticValue,
    location: EffectFact['location'],
  ): EffectFact {
    if (value === undefined) {
      return {
        kind: 'absent',
        value: EFFECT_MEMBERS.READ_ONLY,
        location: this.#project.locate(this.#node),
        why: '',
        witness: [],
      };
    }
    if (typeof value === 'string' && EFFECTS.includes(value)) {
      return { kind: 'constant', value: value as Effect, location, why: '', witness: [] };
    }
    const why = `${JSON.stringify(value)} is none of ${EFFECTS.join(', ')}`;
    const witness = [{ ...this.#project.locate(this.#placeOf(member)), message: why }];
    return { kind: 'not_constant', value: null, location, why, witness };
  }

  #member(value: StaticValue, key: string): StaticValue {
    return this.#evaluator.property(value, key);
  }

  #codeOf(value: StaticValue, key: string): ToolDefinition['execute'] {
    const code = this.#evaluator.reduce(this.#member(value, key));
    switch (code.kind) {
      case 'function':
        return code.node;
      case 'expression':
        return code.node;
      case 'choice':
      case 'unknown': {
        const written = this.#member(value, key);
        return written.kind === 'expression' ? written.node : null;
      }
      default:
        return null;
    }
  }

  /** Where a member is written; the definition itself where it is not. */
  #placeOf(member: StaticValue): ts.Node {
    const node = 'node' in member ? member.node : null;
    return node === null || node.getSourceFile().isDeclarationFile ? this.#node : node;
  }

  #expand(value: StaticValue, parameter: Bindable): readonly Expansion[] {
    if (this.#expansions >= MAX_EXPANSIONS) {
      return [];
    }
    const expansions = expandParameter(this.#evaluator, value, parameter);
    this.#expansions += expansions.length;
    return expansions;
  }

  #stepOf({ node, message }: Expansion): WitnessStep {
    return { ...this.#project.locate(node), message };
  }

  #reason({ why, parameter }: UnknownValue): string {
    return parameter === undefined ? why : `${why}, which nothing in the project fills`;
  }
}

/** What several callers make of one effect. A caller that reads it from elsewhere outweighs the others. */
function joinEffects(facts: readonly EffectFact[], location: EffectFact['location']): EffectFact {
  const worst =
    facts.find(({ kind }) => kind === 'not_constant') ?? facts.find(({ kind }) => kind === 'undecided');
  if (worst !== undefined) {
    return { ...worst, location };
  }
  const [first] = facts;
  const isSame = facts.every(({ value }) => value === first?.value);
  if (first !== undefined && isSame) {
    return { ...first, location };
  }
  return {
    kind: 'constant',
    value: null,
    location,
    why: 'Every caller gives a literal, but not the same one.',
    witness: [],
  };
}
