import type { ts } from '../../../engine/typescript.mjs';
import type { LoadedProject } from '../../load/loaded-project.js';
import type {
  ErrorTextFact,
  FalseClaimFact,
  LateFailureFact,
  PathFacts,
  WriteMark,
} from '../../model/effect-facts.js';
import type { Framework } from '../../model/fact-base.js';
import type { EffectLog } from '../interpret/effect-log.js';
import type { RanReturn } from '../interpret/functions.js';
import { awaited } from '../interpret/loops.js';
import { passedBy } from '../interpret/written.js';
import type { RanTool } from '../tool-code.js';
import { possible } from '../values/join.js';
import { ERROR, ERROR_WITH_TARGET, REFUSED, UNCHANGED } from '../values/result-kinds.js';
import type { ObjectValue, ResultValue, Value } from '../values/value.js';
import { literalParts } from './error-texts.js';
import { answersNamedIn } from '../values/answers.js';
import type { PathEvent, PathEvents } from './path-events.js';

/** An error text that says what has been done: "created", "was sent". */
const SAYS_DONE =
  /\b(?:created|saved|stored|sent|written|updated|deleted|added|published|uploaded|posted|committed|landed|succeeded|(?:was|were|has been|have been|is|are) (?:already )?(?:done|made))\b/iu;

/** Something that can fail after writes; `write` is the last of them. */
interface LateStep {
  readonly write: PathEvent;
  readonly writes: readonly PathEvent[];
  readonly failure: PathEvent;
}

/** Compares what a tool says at the ends of its paths with what the paths have written. */
export class PathJudge {
  readonly #project: LoadedProject;
  readonly #events: PathEvents;
  readonly #framework: Framework;
  readonly #log: EffectLog;

  constructor(project: LoadedProject, events: PathEvents, framework: Framework, log: EffectLog) {
    this.#project = project;
    this.#events = events;
    this.#framework = framework;
    this.#log = log;
  }

  factsOf(start: ts.Node, { returns, effects, failures }: RanTool): PathFacts {
    const falseClaims = new Map<string, FalseClaimFact>();
    const late = new Map<string, LateFailureFact>();
    const texts = new Map<string, ErrorTextFact>();
    let claims = 0;
    for (const record of returns) {
      for (const one of awaited(record.value).alternatives) {
        if (one.kind === 'result' && isCertain(one)) {
          const written = possible(record.written, one.when);
          if ((one.form & (REFUSED | UNCHANGED)) !== 0) {
            claims += 1;
            this.#claim(start, one, record, written, falseClaims);
          }
          if (one.form === ERROR) {
            this.#caught(start, one.place, written, 'proven', late);
          }
          if ((one.form & (ERROR | ERROR_WITH_TARGET | REFUSED)) !== 0) {
            this.#text(literalParts(one.content), one.place, record.node, texts);
          }
        } else if (one.kind === 'object' && isErrorObject(one)) {
          const text = textOf(one);
          this.#text(text, one.place, record.node, texts);
          if (text === null || !SAYS_DONE.test(text)) {
            const written = possible(record.written, one.when);
            this.#caught(start, one.place, written, 'by-name', late, answersNamedIn({ alternatives: [one] }));
          }
        }
      }
    }
    this.#uncaught(start, failures, late);
    effects.texts.forEach((text, node) => this.#text(text, node, node, texts));
    return {
      falseClaims: [...falseClaims.values()],
      claims,
      lateFailures: [...late.values()],
      errorTexts: [...texts.values()],
    };
  }

  #claim(
    start: ts.Node,
    result: ResultValue,
    { node }: RanReturn,
    written: Value,
    found: Map<string, FalseClaimFact>,
  ): void {
    const tested = [result.place, node].flatMap((place) => this.#log.tested.get(place) ?? []);
    const own = this.#log.sourcesOf(tested);
    // That the write itself did nothing is no claim after a write.
    const write = this.#writesIn(written).find((one) => !own.includes(one.node));
    if (write === undefined) {
      return;
    }
    const shape = result.form === REFUSED ? 'refused' : 'unchanged';
    const place = this.#isOwn(result.place) ? result.place : node;
    const location = this.#project.locate(place);
    const key = `${location.file}:${String(location.line)}:${String(location.column)}`;
    found.set(key, {
      shape,
      write: markOf(write),
      location,
      witness: [
        { ...this.#project.locate(start), message: 'the tool is called' },
        { ...this.#project.locate(write.node), message: `\`${write.callee}\` writes` },
        { ...location, message: `\`${shape}\` says that nothing was written` },
      ],
    });
  }

  #writesIn(written: Value): readonly PathEvent[] {
    return written.alternatives.flatMap((one) =>
      one.kind === 'literal' ? passedBy(one.value).writes.flatMap((id) => this.#events.get(id) ?? []) : [],
    );
  }

  /** An answer without the record, on a path on which something failed after a write. */
  #caught(
    start: ts.Node,
    answer: ts.Node,
    written: Value,
    confidence: 'proven' | 'by-name',
    late: Map<string, LateFailureFact>,
    named: readonly ts.Node[] = [],
  ): void {
    for (const step of this.#lateIn(written)) {
      const { write, failure } = step;
      if (this.#isNamed(step, named)) {
        continue;
      }
      this.#add(late, {
        kind: 'caught',
        failing: failure.callee,
        write: markOf(write),
        confidence: confidence === 'by-name' ? confidence : confidenceOf(write),
        location: this.#project.locate(failure.node),
        witness: [
          ...this.#steps(start, write, failure),
          { ...this.#project.locate(answer), message: 'the answer does not name the record' },
        ],
      });
    }
  }

  #uncaught(start: ts.Node, failures: Value, late: Map<string, LateFailureFact>): void {
    for (const one of this.#lateIn(failures)) {
      const { write, failure } = one;
      const text = failure.kind === 'throw' ? failure.node.getText() : '';
      if (this.#framework !== 'toolwright' && (SAYS_DONE.test(text) || this.#isNamed(one, failure.named))) {
        continue;
      }
      this.#add(late, {
        kind: 'uncaught',
        failing: failure.callee,
        write: markOf(write),
        confidence: this.#framework === 'toolwright' ? confidenceOf(write) : 'by-name',
        location: this.#project.locate(failure.node),
        witness: this.#steps(start, write, failure),
      });
    }
  }

  /** Failures after a local or remote write that are not about that write's own answer. */
  #lateIn(written: Value): readonly LateStep[] {
    return written.alternatives.flatMap((one) => {
      if (one.kind !== 'literal') {
        return [];
      }
      const passed = passedBy(one.value);
      const failure = passed.failure === null ? null : this.#events.get(passed.failure);
      if (failure === null) {
        return [];
      }
      const writes = passed.writes
        .flatMap((id) => this.#events.get(id) ?? [])
        .filter(({ judgement }) => judgement?.effect !== 'content');
      const write = writes.at(-1);
      const about = this.#log.sourcesOf(failure.about);
      return write === undefined || writes.some(({ node }) => about.includes(node))
        ? []
        : [{ write, writes, failure }];
    });
  }

  /** Whether the answer carries something that a write has answered: its id, the whole record. */
  #isNamed({ writes }: LateStep, named: readonly ts.Node[]): boolean {
    const sources = this.#log.sourcesOf(named);
    return writes.some(({ node }) => sources.includes(node));
  }

  #steps(start: ts.Node, write: PathEvent, failure: PathEvent): LateFailureFact['witness'] {
    const what = failure.kind === 'throw' ? 'this throws' : `\`${failure.callee}\` can fail`;
    return [
      { ...this.#project.locate(start), message: 'the tool is called' },
      { ...this.#project.locate(write.node), message: `\`${write.callee}\` writes` },
      { ...this.#project.locate(failure.node), message: `${what} after the write` },
    ];
  }

  #add(late: Map<string, LateFailureFact>, fact: LateFailureFact): void {
    const { file, line, column } = fact.location;
    const key = `${fact.kind}|${file}:${String(line)}:${String(column)}`;
    if (!late.has(key)) {
      late.set(key, fact);
    }
  }

  #text(text: string | null, place: ts.Node, fallback: ts.Node, texts: Map<string, ErrorTextFact>): void {
    const location = this.#project.locate(this.#isOwn(place) ? place : fallback);
    const key = `${location.file}:${String(location.line)}:${String(location.column)}|${text ?? ''}`;
    texts.set(key, { text, location });
  }

  #isOwn(node: ts.Node): boolean {
    return this.#project.ownFiles.includes(node.getSourceFile());
  }
}

function markOf({ callee, judgement }: PathEvent): WriteMark {
  return { callee, effect: judgement?.effect ?? 'unknown' };
}

function confidenceOf({ judgement }: PathEvent): 'proven' | 'by-name' {
  return judgement?.confidence ?? 'proven';
}

/** Made in code that was read, or of a type that allows one kind only. */
function isCertain({ typed, typedForms, form }: ResultValue): boolean {
  return typed === '' || typedForms === form;
}

/** A result of MCP that says it is an error. */
function isErrorObject(object: ObjectValue): boolean {
  const flag = object.properties.get('isError')?.alternatives ?? [];
  return flag.length > 0 && flag.every((one) => one.kind === 'literal' && one.value === true);
}

/** The literal parts of the text in `content`. */
function textOf(object: ObjectValue): string | null {
  const texts = (object.properties.get('content')?.alternatives ?? []).flatMap((list) =>
    list.kind === 'object'
      ? [...list.properties.values()].flatMap(({ alternatives }) =>
          alternatives.flatMap((part) => (part.kind === 'object' ? (part.properties.get('text') ?? []) : [])),
        )
      : [],
  );
  const parts = texts.map((text) => literalParts(text)).filter((text) => text !== null);
  return parts.length === 0 ? null : parts.join('\n');
}
