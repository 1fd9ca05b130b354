import { alternativesOf, isSaidByModel, textPartsOf, type AbstractValue } from '../model/abstract-value.js';

/** Which path a made value is: `temporary`, the index of the argument where it lies, or null when that is not known. */
export type YieldedPath = (made: Extract<AbstractValue, { kind: 'made' }>) => string | null;

const TEMPORARY_ROOT = /^(\/private)?\/(tmp|var\/tmp|var\/folders)(\/|$)/;
/** Devices that keep nothing. */
const NULL_DEVICE = /^(\/dev\/(null|stdout|stderr|tty|fd\/[12])|\\\\\.\\NUL|NUL)$/i;

/** Whether what a model says decides that a path leaves the temporary folder under which it begins. */
export function mayLeaveByInput(path: AbstractValue, yielded: YieldedPath = yieldedByBuiltins): boolean {
  const bounded = withoutInputs(path);
  return isSaidByModel(path) && bounded !== path && isTemporaryPath(bounded, yielded);
}

/** The same path with names in the place of what the model says. */
function withoutInputs(path: AbstractValue): AbstractValue {
  switch (path.kind) {
    case 'input':
      return path.path === '' ? path : { kind: 'unknown' };
    case 'template':
      return { ...path, parts: path.parts.map(withoutInputs) };
    case 'one-of':
      return { ...path, values: path.values.map(withoutInputs) };
    case 'made':
      return { ...path, arguments: path.arguments.map(withoutInputs) };
    default:
      return path;
  }
}

/** Whether a path certainly lies under the system's temporary folder, or is a device that keeps nothing. */
export function isTemporaryPath(path: AbstractValue, yielded: YieldedPath = yieldedByBuiltins): boolean {
  const alternatives = alternativesOf(path);
  return alternatives.length > 0 && alternatives.every((one) => isTemporaryOne(one, yielded));
}

function isTemporaryOne(path: AbstractValue, yielded: YieldedPath): boolean {
  switch (path.kind) {
    case 'temporary':
      return true;
    case 'template': {
      const [first] = path.parts;
      const isUnder = first !== undefined && first.kind !== 'constant' && isTemporaryPath(first, yielded);
      return isUnder ? !climbs(path.parts.slice(1)) : isTemporaryText(path);
    }
    case 'made': {
      const place = yielded(path);
      if (place === 'temporary') return true;
      const base = place === null ? undefined : path.arguments[Number(place)];
      const others = path.arguments.slice(Number(place) + 1);
      const isLeft = path.path.at(-1) === 'resolve' && others.some(isAbsolute);
      return base !== undefined && isTemporaryPath(base, yielded) && !climbs(others) && !isLeft;
    }
    default:
      return isTemporaryText(path);
  }
}

function isTemporaryText(path: AbstractValue): boolean {
  const parts = textPartsOf(path) ?? [];
  const head = parts[0] ?? '';
  if (parts.length === 1 && NULL_DEVICE.test(head)) return true;
  return TEMPORARY_ROOT.test(head) && !climbs([path]);
}

/** Parts that may lead out again: literal ones, and what a model says. Another name from elsewhere is the author's risk. */
function climbs(parts: readonly AbstractValue[]): boolean {
  return parts.some(
    (part) => (textPartsOf(part) ?? []).some((text) => text.includes('..')) || saysAnything(part),
  );
}

/** `resolve(tmpdir(), '/srv/data')` is the last absolute path. */
function isAbsolute(part: AbstractValue): boolean {
  return alternativesOf(part).some((one) => /^([/\\\\]|[a-z]:)/i.test(textPartsOf(one)?.[0] ?? ''));
}

function saysAnything(part: AbstractValue): boolean {
  switch (part.kind) {
    case 'input':
      return part.path !== '';
    case 'template':
      return part.parts.some(saysAnything);
    case 'one-of':
      return part.values.some(saysAnything);
    default:
      return false;
  }
}

const PATH_MODULE = /^(node:)?path(\/posix|\/win32)?$/;

/** Without a catalogue at hand: Node's own functions. */
function yieldedByBuiltins(made: Extract<AbstractValue, { kind: 'made' }>): string | null {
  const last = made.path[made.path.length - 1] ?? '';
  if (PATH_MODULE.test(made.module)) return /^(join|resolve|normalize)$/.test(last) ? '0' : null;
  return /^(node:)?os$/.test(made.module) && last === 'tmpdir' ? 'temporary' : null;
}
