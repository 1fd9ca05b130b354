import { alternativesOf, textPartsOf, type AbstractValue } from '../model/abstract-value.js';

const TEMPORARY_ROOT = /^(\/private)?\/(tmp|var\/tmp|var\/folders)(\/|$)/;
/** Devices that keep nothing. */
const NULL_DEVICE = /^(\/dev\/(null|stdout|stderr|tty|fd\/[12])|\\\\\.\\NUL|NUL)$/i;
/** What `path.join` and its like hand on: the whole lies where the first part lies. */
const JOINING = /^(join|resolve|normalize|format|posix|win32)$/;

/** Whether a path certainly lies under the system's temporary folder, or is a device that keeps nothing. */
export function isTemporaryPath(path: AbstractValue): boolean {
  const alternatives = alternativesOf(path);
  return alternatives.length > 0 && alternatives.every(isTemporaryOne);
}

function isTemporaryOne(path: AbstractValue): boolean {
  if (path.kind === 'temporary') return true;
  if (path.kind === 'template') {
    const [first] = path.parts;
    if (first !== undefined && isTemporaryOne(first)) return !climbs(path.parts.slice(1));
  }
  if (path.kind === 'made') {
    const last = path.path[path.path.length - 1] ?? '';
    const [first] = path.arguments;
    const isPath = /^(node:)?path(\/posix|\/win32)?$/.test(path.module);
    return (
      isPath &&
      JOINING.test(last) &&
      first !== undefined &&
      isTemporaryOne(first) &&
      !climbs(path.arguments.slice(1))
    );
  }
  const parts = textPartsOf(path);
  const head = parts?.[0] ?? '';
  if (parts?.length === 1 && NULL_DEVICE.test(head)) return true;
  return TEMPORARY_ROOT.test(head) && !(parts ?? []).some((part) => part.includes('..'));
}

/** Parts that may lead out again: only literal ones are looked at, because a name from elsewhere is the author's risk. */
function climbs(parts: readonly AbstractValue[]): boolean {
  return parts.some((part) => (textPartsOf(part) ?? []).some((text) => text.includes('..')));
}
