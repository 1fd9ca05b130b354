import { isNativeError } from 'node:util/types';
import { cutLine, printableLine } from './printable-line.js';

// Anything can be thrown: strings, undefined, proxies, errors whose getters throw. Nothing here rejects any of it.

const MAX_CLASS_LENGTH = 80;
const MAX_CAUSES = 5;
const MAX_FRAMES = 40;
const MAX_FRAME_LENGTH = 300;

/** The class name of a thrown value, bounded and printable: never its message. */
export function errorClass(thrown: unknown): string {
  const name = isError(thrown) ? nameOf(thrown) : thrown === null ? 'null' : typeof thrown;
  // A class may be named anything, so that the name could carry text.
  return cutLine(printableLine(name).replace(/[^\p{L}\p{N}_$.-]/gu, '_'), MAX_CLASS_LENGTH);
}

/** What a thrown value says, or null when it says nothing in words. */
export function messageOf(thrown: unknown): string | null {
  const message = typeof thrown === 'string' ? thrown : isError(thrown) ? get(thrown, 'message') : undefined;
  return typeof message === 'string' && message.trim() !== '' ? message : null;
}

/**
 * Where an error and its causes were made: their classes and stack frames, without any message,
 * because a message may carry data.
 */
export function traceOf(thrown: unknown): string {
  const lines: string[] = [];
  const seen = new Set<unknown>();
  let error: unknown = thrown;
  for (let depth = 0; depth < MAX_CAUSES && !seen.has(error); depth += 1) {
    seen.add(error);
    lines.push(`${depth === 0 ? '' : 'caused by '}${errorClass(error)}`, ...framesOf(error));
    error = get(error, 'cause');
    if (error === undefined || error === null) {
      break;
    }
  }
  return lines.join('\n');
}

/** A property of an unknown value; undefined where there is none or where reading it throws. */
export function get(value: unknown, key: string): unknown {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) {
    return undefined;
  }
  try {
    return (value as Readonly<Record<string, unknown>>)[key];
  } catch {
    return undefined;
  }
}

function isError(value: unknown): boolean {
  try {
    return isNativeError(value) || value instanceof Error;
  } catch {
    // `instanceof` asks a proxy for its prototype, which may throw.
    return false;
  }
}

function nameOf(error: unknown): string {
  for (const name of [get(get(error, 'constructor'), 'name'), get(error, 'name')]) {
    if (typeof name === 'string' && name !== '') {
      return name;
    }
  }
  return 'Error';
}

// A frame ends with a position; a line of a message that merely begins with "at" does not pass for one.
const FRAME = /^\s+at \S.*(?::\d+:\d+|<anonymous>|native)\)?$/u;

function framesOf(error: unknown): readonly string[] {
  const stack = get(error, 'stack');
  if (typeof stack !== 'string') {
    return [];
  }
  const message = messageOf(error);
  const end = message === null ? -1 : stack.indexOf(message);
  const afterMessage = end < 0 || message === null ? stack : stack.slice(end + message.length);
  return afterMessage
    .split('\n')
    .filter((line) => FRAME.test(line))
    .slice(0, MAX_FRAMES)
    .map((line) => cutLine(`    ${printableLine(line).trim()}`, MAX_FRAME_LENGTH));
}
