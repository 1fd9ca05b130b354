import {
  isWriteKind,
  UNKNOWN,
  type AbstractValue,
  type CallFacts,
  type EffectClassification,
} from '@toolwright/catalogue';
import { ts } from 'ts-morph';
import type { LibraryOrigin } from '../values/library.js';
import { FROM_ARGUMENTS, type Point } from '../values/value.js';
import { calleeText } from '../interpret/calls.js';
import type { EffectWatch, Machine, OutsideCall } from '../interpret/machine.js';
import { argumentsFor, isContext } from '../interpret/outside-calls.js';
import { chainOf } from './call-chain.js';
import { contentEffect, SESSION } from './own-effects.js';
import { countsOn, isNewEveryTime } from './repeated-values.js';

/** Judges calls of code that is not here by the catalogue of effects, and notes what they write. */
export class CallEffects implements EffectWatch {
  readonly #machine: Machine;
  readonly #isInTool: () => boolean;

  constructor(machine: Machine, isInTool: () => boolean) {
    this.#machine = machine;
    this.#isInTool = isInTool;
  }

  get isWatching(): boolean {
    return this.#isInTool();
  }

  called(call: OutsideCall): void {
    const { site } = call;
    const judgement = this.#repeated(call, this.#judge(call));
    const log = site.at.frame.effects;
    if (judgement.isAssumed) {
      log.assumed.set(calleeText(site.node), judgement.source);
    }
    if (judgement.effect === 'none') {
      if (judgement.confidence === 'by-name') {
        log.byName.set(this.#machine.numberAt(site.node), calleeText(site.node));
      }
      return;
    }
    const { conditions } = site.at.state;
    if (judgement.effect === 'unknown' && judgement.condition === null) {
      const why = this.#whyUnknown(call, judgement);
      log.addUnknown({ node: site.node, callee: calleeText(site.node), why, conditions, trail: null });
      return;
    }
    log.add({ node: site.node, callee: calleeText(site.node), judgement, conditions, trail: null });
  }

  unknown(node: ts.Node, why: string, at: Point): void {
    if (this.isWatching && !at.state.isDead) {
      const { conditions } = at.state;
      at.frame.effects.addUnknown({ node, callee: calleeText(node), why, conditions, trail: null });
    }
  }

  stateChanged(node: ts.Node, at: Point): void {
    if (this.isWatching && !at.state.isDead) {
      const { conditions } = at.state;
      at.frame.effects.add({ node, callee: calleeText(node), judgement: SESSION, conditions, trail: null });
    }
  }

  /** A write to a key that is new every time, or of a number that counts on, does not converge. */
  #repeated(call: OutsideCall, judgement: EffectClassification): EffectClassification {
    const { site } = call;
    const isOutside = judgement.effect !== 'none' && judgement.effect !== 'session';
    if (!isOutside || judgement.converges === 'no' || judgement.kind === 'delete') {
      return judgement;
    }
    if (site.args.some((argument) => countsOn(this.#machine, argument, site.at))) {
      return { ...judgement, kind: 'increment', converges: 'no', reason: 'it counts on from what was read' };
    }
    const [key] = argumentsFor(this.#machine, site);
    return key !== undefined && isNewEveryTime(key)
      ? { ...judgement, kind: 'random-key', converges: 'no', reason: 'its key is made of chance or time' }
      : judgement;
  }

  #judge(call: OutsideCall): EffectClassification {
    const { catalogue } = this.#machine.libraries;
    const { origin, name } = call;
    if (isContext(origin)) {
      return contentEffect(origin?.path[1] === 'content' ? name : '');
    }
    if (origin?.value !== null && origin !== null) {
      const known = catalogue.classify(origin.value, this.#factsOf(call, origin));
      if (known !== null) {
        return known;
      }
    }
    const byName = catalogue.classifyByName(name === '' || call.isNew ? nameOf(origin, name) : name);
    // The model's input is data: whatever its methods are called, they change nothing outside.
    const isData = (call.from & FROM_ARGUMENTS) !== 0 && origin === null;
    if (isData || (call.isNew && isWriteKind(byName.kind))) {
      return {
        ...byName,
        effect: 'none',
        kind: 'pure',
        certainty: 'always',
        condition: null,
        touches: 'nothing',
      };
    }
    return byName;
  }

  #factsOf(call: OutsideCall, origin: LibraryOrigin): CallFacts {
    const { site } = call;
    const receiver: AbstractValue | null = origin.made;
    const chain = chainOf(this.#machine, site.node, site.at);
    return {
      arguments: argumentsFor(this.#machine, site),
      isNew: call.isNew,
      isTagged: ts.isTaggedTemplateExpression(site.node),
      receiver: receiver ?? UNKNOWN,
      ...(chain === null ? {} : { chain }),
    };
  }

  #whyUnknown({ origin, site }: OutsideCall, judgement: EffectClassification): string {
    const from =
      origin === null
        ? 'its code is not here'
        : origin.module === 'globalThis'
          ? 'nothing is known of this global'
          : `nothing is known of this function of \`${origin.module}\``;
    return origin?.value === null || origin === null
      ? `${from}: \`${calleeText(site.node)}\``
      : `${judgement.reason}: \`${calleeText(site.node)}\``;
  }
}

function nameOf(origin: LibraryOrigin | null, name: string): string {
  return name !== '' ? name : (origin?.path.findLast((step) => step !== '()' && step !== 'new()') ?? '');
}
