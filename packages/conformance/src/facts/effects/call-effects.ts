import {
  classifyHttp,
  isWriteKind,
  readVerbs,
  UNKNOWN,
  type AbstractValue,
  type CallFacts,
  type EffectClassification,
} from '@toolwright/catalogue';
import { ts } from '../../../engine/typescript.mjs';
import type { LibraryOrigin } from '../values/library.js';
import { FROM_ARGUMENTS, type Point } from '../values/value.js';
import { isOfInput } from '../interpret/abstract-values.js';
import { calleeText } from '../interpret/calls.js';
import { skipWrappers } from '../../compiler/syntax.js';
import type { EffectWatch, Machine, OutsideCall } from '../interpret/machine.js';
import { argumentsFor, isContext, isOfCaller, OF_CALLER } from '../interpret/outside-calls.js';
import {
  isFailureLost,
  noteFailure,
  setWritten,
  withFailure,
  without,
  withWrite,
  writtenAt,
} from '../interpret/written.js';
import { chainOf } from './call-chain.js';
import { partsOfThrown, thrownText } from './error-texts.js';
import { isInProcess } from './in-process-calls.js';
import { isInCache, namedFile } from './named-files.js';
import { receiverName } from './receiver-name.js';
import { contentEffect, OF_LANGUAGE, SESSION } from './own-effects.js';
import { answersNamedIn, answersOf } from '../values/answers.js';
import { PathEvents, type PathEvent } from './path-events.js';
import { namesIn, outcomesIn, testsAround } from './surrounding-tests.js';
import { countsOn, isNewEveryTime } from './repeated-values.js';

/** Judges calls of code that is not here by the catalogue of effects, and notes what they write. */
export class CallEffects implements EffectWatch {
  readonly events = new PathEvents();
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
    const judgement = ofNamedFile(call, this.#repeated(call, this.#judge(call)));
    const log = site.at.frame.effects;
    this.#notePath(call, judgement);
    if (judgement.isAssumed) {
      log.assumed.set(calleeText(site.node), judgement.source);
    }
    if (judgement.effect === 'none') {
      this.#noteName(call, judgement);
      return;
    }
    if (judgement.effect === 'session') {
      this.#noteName(call, judgement);
    }
    const { conditions } = site.at.state;
    if (judgement.effect === 'unknown' && judgement.condition === null) {
      const why = this.#whyUnknown(call, judgement);
      log.addUnknown({ node: site.node, callee: calleeText(site.node), why, conditions, trail: null });
      return;
    }
    log.add({ node: site.node, callee: calleeText(site.node), judgement, conditions, trail: null });
  }

  /** That nothing is written beyond the process is a belief where only a name says so. */
  #noteName({ site }: OutsideCall, { confidence }: EffectClassification): void {
    if (confidence === 'by-name') {
      site.at.frame.effects.byName.set(this.#machine.numberAt(site.node), calleeText(site.node));
    }
  }

  unknown(node: ts.Node, why: string, at: Point): void {
    if (this.isWatching && !at.state.isDead && !isOfLanguage(node)) {
      const { conditions } = at.state;
      at.frame.effects.addUnknown({ node, callee: calleeText(node), why, conditions, trail: null });
    }
  }

  thrown(node: ts.ThrowStatement, at: Point): void {
    if (!this.isWatching || at.state.isDead) {
      return;
    }
    const log = at.frame.effects;
    log.texts.set(node, thrownText(this.#machine, node, at));
    const names = testsAround(node).flatMap((test) => namesIn(test));
    const tested = names.flatMap((name) => answersOf(this.#machine.readName(name, at)));
    const about = log.sourcesOf(tested);
    const named = log.sourcesOf(answersNamedIn(...partsOfThrown(this.#machine, node, at)));
    this.#fail({ node, kind: 'throw', callee: 'throw', judgement: null, about, named }, at);
  }

  answered(node: ts.Node, at: Point): void {
    if (this.isWatching && !at.state.isDead) {
      const names = testsAround(node).flatMap((test) => outcomesIn(test));
      const tested = names.flatMap((name) => answersOf(this.#machine.readName(name, at)));
      if (tested.length > 0) {
        at.frame.effects.tested.set(node, tested);
      }
    }
  }

  /**
   * Something can fail here. What is about the answer of a write that this activation made belongs to that
   * write; about an answer that was handed in, the caller knows.
   */
  #fail(event: PathEvent, at: Point): void {
    const { calls } = at.frame.effects;
    const own = new Set(event.about.filter((node) => calls.has(node)));
    const handedIn = event.about.filter((node) => !own.has(node));
    const failure = this.events.add({ ...event, about: handedIn });
    const later = without(writtenAt(at), (write) => own.has(this.events.get(write)?.node ?? event.node));
    if (later.alternatives.length > 0) {
      noteFailure(at, withFailure(later, failure));
    }
  }

  /** What the path has written, and what can fail on it. */
  #notePath(call: OutsideCall, judgement: EffectClassification): void {
    const { site } = call;
    const { at, node } = site;
    const callee = calleeText(node);
    const about = at.frame.effects.sourcesOf(answersOf(site.self));
    at.frame.effects.derived.set(node, isOnData(judgement) ? [site.self, ...site.args] : [site.self]);
    if (canFail(judgement) && !call.isNew && !isFailureLost(node)) {
      this.#fail({ node, kind: 'call', callee, judgement, about, named: [] }, at);
    }
    at.frame.effects.calls.add(node);
    // Whoever makes sure of something once more changes nothing: there is nothing to name.
    if (isOutside(judgement) && judgement.kind !== 'ensure') {
      const write = this.events.add({ node, kind: 'write', callee, judgement, about, named: [] });
      setWritten(at.state, withWrite(writtenAt(at), write));
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
    const given = argumentsFor(this.#machine, site);
    const key = PUTS_IN_PLACE.test(call.name) ? given[1] : given[0];
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
    if (isOfCaller(origin)) {
      return OF_LANGUAGE;
    }
    if (origin?.value !== null && origin !== null) {
      const known = catalogue.classify(origin.value, this.#factsOf(call, origin));
      if (known?.confidence === 'by-name' && isTextReplaced(call.site.node, name)) {
        return OF_LANGUAGE;
      }
      if (known !== null) {
        return (
          (known.confidence === 'by-name' && isPost(name) ? this.#asRequest(call, known) : null) ?? known
        );
      }
    }
    if (origin === null && !call.isNew && isLanguageName(name)) {
      return OF_LANGUAGE;
    }
    const called = name === '' || call.isNew ? nameOf(origin, name) : name;
    const isGivenNothing = call.site.args.length === 0 && call.site.spread === null;
    const byName = catalogue.classifyByName(called, 'remote', receiverName(call.site.node), isGivenNothing);
    const asked = isPost(name) ? this.#asRequest(call, byName) : null;
    if (asked !== null) {
      return asked;
    }
    const isUnheardOf =
      origin === null ||
      origin.path[0] === OF_CALLER.path[0] ||
      (origin.value === null && origin.path.includes('new()'));
    if (isUnheardOf && isWriteKind(byName.kind) && isInProcess(call.site.node, name)) {
      return { ...SESSION, confidence: 'by-name', source: byName.source, reason: CHANGES_AN_OBJECT };
    }
    // The model's input is data: what methods data has change nothing outside.
    const isData = (call.from & FROM_ARGUMENTS) !== 0 && origin === null && isDataMethod(name);
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

  /** `client.post('/issues/search', …)` of a client that nothing is known of reads, as far as its path says. */
  #asRequest({ site }: OutsideCall, byName: EffectClassification): EffectClassification | null {
    const [url = UNKNOWN, body = UNKNOWN] = argumentsFor(this.#machine, site);
    const method = { kind: 'constant', value: 'POST' } as const;
    const request = { method, methodPlace: '', defaultMethod: 'POST', url, body, headers: UNKNOWN };
    const judgement = classifyHttp(request, readVerbs());
    return judgement.effect === 'none' ? { ...byName, ...judgement, confidence: 'by-name' } : null;
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

/**
 * What a cache keeps in a file can be made again, and a log is nobody's purpose: as far as names say which it is. A file
 * that the model names is the model's, whatever the code calls it.
 */
function ofNamedFile({ site }: OutsideCall, judgement: EffectClassification): EffectClassification {
  const [file] = site.args;
  const isTheirs = file !== undefined && isOfInput(file);
  const named =
    judgement.effect === 'local' && judgement.kind !== 'run' && !isTheirs
      ? namedFile(site.node, judgement.kind === 'append')
      : null;
  const isKept = judgement.effect === 'remote' && judgement.confidence === 'by-name' && isInCache(site.node);
  if (named === 'cache' || isKept) {
    return {
      ...SESSION,
      confidence: 'by-name',
      source: judgement.source,
      reason: 'it keeps what can be made again',
    };
  }
  return named === 'log' && judgement.kind !== 'delete'
    ? {
        ...judgement,
        effect: 'none',
        kind: 'log',
        certainty: 'always',
        condition: null,
        confidence: 'by-name',
      }
    : judgement;
}

/** Functions for files whose second argument is where something ends up. */
const PUTS_IN_PLACE = /^(?:rename|copy|copyFile|cp|move|link|symlink)(?:Sync)?$/u;

const CHANGES_AN_OBJECT = 'it changes an object, and nobody waits for it';

/** A method that texts, numbers, lists and dates have: whatever it is called on, it changes nothing outside. */
function isOfLanguage(node: ts.Node): boolean {
  const callee = ts.isCallExpression(node) ? skipWrappers.inward(node.expression) : node;
  return ts.isPropertyAccessExpression(callee) && isLanguageName(callee.name.text);
}

/** `client.baseUrl.replace(/\/$/, '')`: only a text is asked to replace what matches a pattern. */
function isTextReplaced(node: ts.Node, name: string): boolean {
  return /^replace(?:All)?$/u.test(name) && ts.isCallExpression(node) && node.arguments[0]?.kind === PATTERN;
}

const PATTERN = ts.SyntaxKind.RegularExpressionLiteral;

function isPost(name: string): boolean {
  return name === 'post' || name === 'POST';
}

function isLanguageName(name: string): boolean {
  return name !== 'constructor' && LANGUAGE.some((prototype) => Reflect.has(prototype, name));
}

/** A method of what a schema can make of the model's words: a set, a map, an address, bytes. */
function isDataMethod(name: string): boolean {
  return DATA.some((prototype) => Reflect.has(prototype, name));
}

const DATA: readonly object[] = [
  Map.prototype,
  Set.prototype,
  URL.prototype,
  URLSearchParams.prototype,
  Headers.prototype,
  FormData.prototype,
  Uint8Array.prototype,
  Promise.prototype,
];

const LANGUAGE: readonly object[] = [
  Array.prototype,
  String.prototype,
  Number.prototype,
  Date.prototype,
  RegExp.prototype,
  Function.prototype,
];

function isOutside({ effect, certainty }: EffectClassification): boolean {
  return certainty !== 'undecided' && (effect === 'local' || effect === 'remote' || effect === 'content');
}

/** What it answers is made of what it is given, and of nothing else. */
function isOnData({ effect, touches }: EffectClassification): boolean {
  return effect === 'none' && (touches === 'nothing' || touches === 'session');
}

/** What acts beyond the process can fail. What only records that something happened is nobody's affair. */
function canFail({ touches, kind, effect }: EffectClassification): boolean {
  const isBeyond = touches === 'local' || touches === 'remote' || touches === 'content';
  return (
    effect !== 'unknown' &&
    isBeyond &&
    !['log', 'telemetry', 'cache', 'connection', 'timer', 'listen'].includes(kind)
  );
}

function nameOf(origin: LibraryOrigin | null, name: string): string {
  return name !== '' ? name : (origin?.path.findLast((step) => step !== '()' && step !== 'new()') ?? '');
}
