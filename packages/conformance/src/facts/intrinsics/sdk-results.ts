import { NO_GUARD, both, either } from '../values/guard.js';
import { join } from '../values/join.js';
import { NULL, UNDEFINED, literal, native, one } from '../values/make.js';
import { NO_REFERENCES, reference, union, WHOLE } from '../values/references.js';
import {
  ERROR,
  ERROR_WITH_TARGET,
  REFUSED,
  TEXT,
  UNCHANGED,
  WITH_ARTIFACTS,
  WROTE,
} from '../values/result-kinds.js';
import type { CallSite, ResultValue, TargetValue, Value } from '../values/value.js';
import type { Machine } from '../interpret/machine.js';
import { TARGET } from '../queries/preserved-types.js';
import type { Intrinsic } from './intrinsic.js';

interface Fields {
  readonly content: Value;
  readonly artifacts: Value;
  readonly target: Value;
}

/** The result that a factory makes, with what its fields come from. */
function makeResult(machine: Machine, site: CallSite, form: number, fields: Fields): ResultValue {
  const id = machine.identities.of(
    `made ${String(machine.numberAt(site.node))} ${String(form)}`,
    site.at.frame,
  );
  return {
    kind: 'result',
    id,
    form,
    ...fields,
    place: site.node,
    typed: '',
    typedForms: form,
    trail: null,
    references: NO_REFERENCES,
    when: site.at.state.guard,
  };
}

/** The same, where it is only made if one of some values is the case. */
function madeIf(result: ResultValue, alternatives: Value['alternatives']): ResultValue {
  const [first, ...rest] = alternatives.map(({ when }) => when);
  const when =
    first === undefined
      ? null
      : both(
          result.when,
          rest.reduce((a, b) => either(a, b), first),
        );
  return when === null ? result : { ...result, when };
}

function announced(machine: Machine, site: CallSite, result: ResultValue): Value {
  machine.observer.resultMade(result, site.node, site.at);
  if ((result.form & (REFUSED | UNCHANGED)) !== 0) {
    machine.effects.answered(site.node, site.at);
  }
  return one(result);
}

export const NO_ARTIFACTS: Value = literal(undefined);

function argument(site: CallSite, index: number): Value {
  return site.args[index] ?? (site.spread === null ? UNDEFINED : join(site.spread, UNDEFINED));
}

function optionOf(machine: Machine, site: CallSite, index: number, name: string): Value {
  const options = argument(site, index);
  const given = options.alternatives.filter((one) => one.kind !== 'literal');
  const values = given.map((option) =>
    machine.readProperty({ alternatives: [option] }, name, site.at, site.node),
  );
  if (given.length < options.alternatives.length) {
    // Without options, under what makes them missing.
    const missing = options.alternatives.filter((one) => one.kind === 'literal');
    values.push({
      alternatives: missing.map((one) => ({ ...one, value: undefined })),
    });
  }
  return join(...values);
}

const text: Intrinsic = (machine, site) =>
  announced(
    machine,
    site,
    makeResult(machine, site, TEXT, {
      content: argument(site, 0),
      artifacts: optionOf(machine, site, 1, 'artifacts'),
      target: NULL,
    }),
  );

const wrote: Intrinsic = (machine, site) =>
  announced(
    machine,
    site,
    makeResult(machine, site, WROTE, {
      content: argument(site, 1),
      artifacts: optionOf(machine, site, 2, 'artifacts'),
      target: argument(site, 0),
    }),
  );

function plain(form: number): Intrinsic {
  return (machine, site) =>
    announced(
      machine,
      site,
      makeResult(machine, site, form, { content: argument(site, 0), artifacts: NO_ARTIFACTS, target: NULL }),
    );
}

/** An error has one form with a target and one without: both, where the options may be missing. */
const error: Intrinsic = (machine, site) => {
  const target = optionOf(machine, site, 1, 'target');
  const isMissing = (one: Value['alternatives'][number]): boolean =>
    one.kind === 'literal' && (one.value === undefined || one.value === null);
  const there = target.alternatives.filter((one) => !isMissing(one));
  const missing = target.alternatives.filter(isMissing);
  const content = argument(site, 0);
  const results: Value[] = [];
  if (there.length > 0) {
    const made = makeResult(machine, site, ERROR_WITH_TARGET, {
      content,
      artifacts: NO_ARTIFACTS,
      target: { alternatives: there },
    });
    results.push(announced(machine, site, madeIf(made, there)));
  }
  if (missing.length > 0 || there.length === 0) {
    const made = makeResult(machine, site, ERROR, {
      content,
      artifacts: NO_ARTIFACTS,
      target: { alternatives: missing.length === 0 ? NULL.alternatives : missing },
    });
    results.push(announced(machine, site, madeIf(made, missing)));
  }
  return join(...results);
};

const targetOf: Intrinsic = (machine, site) => {
  const id = machine.identities.of(`made ${String(machine.numberAt(site.node))} target`, site.at.frame);
  const target: TargetValue = {
    kind: 'target',
    id,
    table: argument(site, 0),
    uid: argument(site, 1),
    place: site.node,
    references: NO_REFERENCES,
    when: NO_GUARD,
  };
  machine.observer.targetMade(target, site.node, site.at);
  return one(target);
};

const is =
  (kind: 'result' | 'target'): Intrinsic =>
  (_machine, site) =>
    join(
      ...argument(site, 0).alternatives.map((given): Value => {
        const outcome = given.kind === kind ? [true] : given.kind === 'opaque' ? [true, false] : [false];
        return {
          alternatives: outcome.map((value) => ({
            kind: 'literal',
            value,
            references: given.references,
            when: given.when,
          })),
        };
      }),
    );

export const SDK_INTRINSICS: ReadonlyMap<string, Intrinsic> = new Map<string, Intrinsic>([
  ['ToolResult.text', text],
  ['ToolResult.wrote', wrote],
  ['ToolResult.unchanged', plain(UNCHANGED)],
  ['ToolResult.refused', plain(REFUSED)],
  ['ToolResult.error', error],
  ['ToolResult.is', is('result')],
  ['WriteTarget.of', targetOf],
  ['WriteTarget.is', is('target')],
  ['defineTool', (_machine, site) => argument(site, 0)],
]);

/** The methods of a result: they make a new one of the same kind, with every other field. */
export function resultMethod(machine: Machine, of: ResultValue, name: string): Value | null {
  if (name !== 'withContent' && name !== 'withArtifacts') {
    return null;
  }
  const isArtifacts = name === 'withArtifacts';
  if (isArtifacts && (of.form & WITH_ARTIFACTS) === 0) {
    return null;
  }
  return native(`${name} ${String(of.id)} ${String(of.form)}`, (site) => {
    const given = argument(site, 0);
    const carried = (value: Value, field: string): Value => ({
      alternatives: value.alternatives.map((inner) => ({
        ...inner,
        references: union(inner.references, new Set([reference(of.id, field)])),
      })),
    });
    const id = machine.identities.of(
      `${name} ${String(machine.numberAt(site.node))} ${String(of.id)}`,
      site.at.frame,
    );
    const made: ResultValue = {
      ...of,
      id,
      content: isArtifacts ? carried(of.content, 'content') : given,
      artifacts: isArtifacts ? given : carried(of.artifacts, 'artifacts'),
      target: carried(of.target, 'target'),
      references: union(of.references, new Set([reference(of.id, WHOLE)])),
    };
    machine.observer.resultMade(made, site.node, site.at);
    return one(made);
  });
}

/** `context.content.create(table, data)` and its siblings: the target that they answer names that table. */
export function contentTarget(machine: Machine, table: Value, site: CallSite, uid: Value): Value {
  const id = machine.identities.of(`content ${String(machine.numberAt(site.node))}`, site.at.frame);
  const target: TargetValue = {
    kind: 'target',
    id,
    table,
    uid,
    place: site.node,
    references: NO_REFERENCES,
    when: NO_GUARD,
  };
  const { frame } = site.at;
  machine.observer.appeared(id, {
    preserved: TARGET,
    place: site.node,
    description: 'the target that was written',
    frame,
    loop: frame.loops.at(-1) ?? null,
    isElement: false,
    forms: 0,
    value: target,
  });
  return one(target);
}
