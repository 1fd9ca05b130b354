import type { Machine } from '../interpret/machine.js';
import type { PreservedType } from '../queries/preserved-types.js';
import type { Guard } from '../values/guard.js';
import { referencesIn } from '../values/join.js';
import { valueKey } from '../values/keys.js';
import { NO_REFERENCES, WHOLE, reference } from '../values/references.js';
import { FAILED, WITH_ARTIFACTS, WITH_TARGET } from '../values/result-kinds.js';
import type { TargetValue, Value } from '../values/value.js';
import {
  KEPT,
  derivesFrom,
  dropped,
  fateOfContent,
  fateOfField,
  fateOfPart,
  formsUnder,
  saysEmpty,
  unknownFate,
  worst,
  type Fate,
  type Source,
} from './field-fates.js';

interface MadeObject {
  readonly machine: Machine;
  readonly properties: ReadonlyMap<string, Value>;
  readonly others: Value | null;
  readonly preserved: PreservedType;
}

/** What a new object of a preserved type makes of each field. Null when it is no rebuild of the source. */
export function fatesOfObject(made: MadeObject, source: Source): ReadonlyMap<string, Fate> | null {
  const fields = source.live.preserved.fields ?? made.preserved.fields;
  if (fields === null) {
    return null;
  }
  const fates = new Map<string, Fate>();
  for (const { name } of fields) {
    const value = made.properties.get(name);
    const fate =
      made.preserved.kind === 'result'
        ? resultField(made, source, name)
        : plainField(made, source, name, value);
    fates.set(name, fate.fate === 'dropped' ? throughOthers(made, source, name, fate) : fate);
  }
  return fates;
}

function plainField(made: MadeObject, source: Source, name: string, value: Value | undefined): Fate {
  if (name === 'content' && made.preserved.kind === 'mcp') {
    return fateOfContent(value);
  }
  const subject = source.subjectOf(name);
  return fateOfField(value, source, name, (when) => saysEmpty(when, subject));
}

/** An object that stands for a tool result: a copy, or a literal that is asserted to be one. */
function resultField(made: MadeObject, source: Source, name: string): Fate {
  const value = made.properties.get(name);
  switch (name) {
    case 'content':
      return fateOfContent(value);
    case 'isError': {
      const kind = made.properties.get('kind');
      if (kind !== undefined && derivesFrom(kind, source.id, 'isError')) {
        return KEPT;
      }
      return fateOfField(value, source, name, (when) => (formsUnder(source, when) & FAILED) === 0);
    }
    case 'artifacts':
      return fateOfField(value, source, name, (when) => (formsUnder(source, when) & WITH_ARTIFACTS) === 0);
    default:
      return targetField(value, source);
  }
}

function targetField(value: Value | undefined, source: Source): Fate {
  const isNull = (when: Guard): boolean => (formsUnder(source, when) & WITH_TARGET) === 0;
  if (value === undefined || value.alternatives.length === 0) {
    return isNull(source.guard) ? KEPT : dropped('it is left out');
  }
  return worst(
    value.alternatives.map((alternative) =>
      isNull(alternative.when) || isNull(source.guard)
        ? KEPT
        : fateOfPart(alternative, source, 'target', 'another target takes its place'),
    ),
  );
}

/** What is under keys that are not known may be the field. */
function throughOthers(made: MadeObject, source: Source, name: string, fate: Fate): Fate {
  if (made.others === null) {
    return fate;
  }
  const isCopied =
    derivesFrom(made.others, source.id, name) || referencesIn(made.others).has(reference(source.id, WHOLE));
  const isOpen = made.others.alternatives.some((one) => one.kind === 'opaque' && one.unknown !== '');
  return isCopied || isOpen ? unknownFate('the names of the copied fields are computed') : fate;
}

/** A new target from an old one. Another record of the same table is none's rebuild. */
export function fatesOfTarget(made: TargetValue, source: Source): ReadonlyMap<string, Fate> | null {
  const hasUid = derives(made.uid, source.id, 'uid');
  const hasTable = derives(made.table, source.id, 'table');
  const isConstantUid = made.uid.alternatives.every((one) => one.kind === 'literal');
  if (!hasUid && !(hasTable && isConstantUid)) {
    return null;
  }
  const isSameTable = hasTable || isSame(made.table, source);
  return new Map([
    ['table', isSameTable ? KEPT : dropped('another table is given')],
    ['uid', hasUid ? KEPT : dropped('another uid is given')],
  ]);
}

/** Whether every possibility of a part derives from the field: a fallback constant does not undo that. */
function derives(value: Value, id: number, field: string): boolean {
  return value.alternatives.some((one) => derivesFrom({ alternatives: [one] }, id, field));
}

function isSame(table: Value, { live }: Source): boolean {
  return live.value?.kind === 'target' && valueKey(plain(live.value.table)) === valueKey(plain(table));
}

function plain(value: Value): Value {
  return { alternatives: value.alternatives.map((one) => ({ ...one, references: NO_REFERENCES })) };
}
