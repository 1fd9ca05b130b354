import type { ts } from '../../../engine/typescript.mjs';
import type { LoadedProject } from '../../load/loaded-project.js';
import type { EffectClass, ReachFacts, UnresolvedFact, WriteFact } from '../../model/effect-facts.js';
import type { WitnessStep } from '../../model/location.js';
import type { EffectLog, ReachedEffect, ReachedUnknown } from '../interpret/effect-log.js';
import { numberOf } from '../values/keys.js';
import { whenText } from './condition-text.js';

const RANK: Readonly<Record<EffectClass, number>> = { none: 0, session: 1, local: 2, remote: 3, content: 4 };
/** So many reads by name are listed. */
const MOST_NAMES = 5;

/** What a log says, as plain data. */
export class ReachJudge {
  readonly #project: LoadedProject;
  readonly #start: ts.Node;

  constructor(project: LoadedProject, start: ts.Node) {
    this.#project = project;
    this.#start = start;
  }

  factsOf(log: EffectLog): ReachFacts {
    const writes = this.#writesOf(log);
    const worst = writes
      .filter(({ certainty, effect }) => certainty !== 'undecided' && effect !== 'unknown')
      .map(({ effect }) => effect as EffectClass)
      .reduce<EffectClass>((all, effect) => (RANK[effect] > RANK[all] ? effect : all), 'none');
    return {
      worst,
      writes,
      unresolved: [...log.unknowns.values()].map((unknown) => this.#unresolved(unknown)),
      assumed: [...log.assumed].map(([callee, source]) => `\`${callee}\`: ${source}`),
      readsByName: [...new Set(log.byName.values())].slice(0, MOST_NAMES),
    };
  }

  /** One per place and kind of write, with all the conditions under which it is reached. */
  #writesOf(log: EffectLog): readonly WriteFact[] {
    const byPlace = new Map<string, ReachedEffect[]>();
    for (const effect of log.reached.values()) {
      const { node, judgement } = effect;
      const key = `${String(numberOf(node))}|${judgement.effect}|${judgement.kind}|${judgement.certainty}`;
      byPlace.set(key, [...(byPlace.get(key) ?? []), effect]);
    }
    return [...byPlace.values()].flatMap((effects) => {
      const [first] = effects;
      return first === undefined ? [] : [this.#write(first, effects)];
    });
  }

  #write(first: ReachedEffect, all: readonly ReachedEffect[]): WriteFact {
    const { judgement, callee, node } = first;
    const when = whenText(
      all.map(({ conditions, judgement: { condition } }) => ({ conditions, own: condition })),
    );
    const what = when === '' ? '' : `, when ${when}`;
    return {
      effect: judgement.effect,
      kind: judgement.kind,
      certainty: judgement.certainty,
      converges: judgement.converges,
      confidence: all.some(({ judgement: { confidence } }) => confidence === 'proven') ? 'proven' : 'by-name',
      isGuardedByRead: all.every(({ conditions }) =>
        conditions.some(({ input, isNegated }) => input === null && isNegated),
      ),
      when,
      callee,
      reason: judgement.reason,
      source: judgement.source,
      location: this.#project.locate(node),
      witness: this.#witness(first, `\`${callee}\`: ${judgement.reason}${what}`),
    };
  }

  #unresolved(unknown: ReachedUnknown): UnresolvedFact {
    return {
      callee: unknown.callee,
      why: unknown.why,
      location: this.#project.locate(unknown.node),
      witness: this.#witness(unknown, `\`${unknown.callee}\`: ${unknown.why}`),
    };
  }

  #witness({ trail, node }: ReachedEffect | ReachedUnknown, message: string): readonly WitnessStep[] {
    const steps: WitnessStep[] = [{ ...this.#project.locate(this.#start), message: 'the tool is called' }];
    for (let step = trail; step !== null; step = step.inner) {
      // The call of the tool itself is where the path starts.
      if (step.call !== this.#start) {
        steps.push({ ...this.#project.locate(step.call), message: `calls \`${step.callee}\`` });
      }
    }
    steps.push({ ...this.#project.locate(node), message });
    return steps;
  }
}
