import type { ExternalValue } from '../values/value.js';
import { COLLECTION_INTRINSICS } from './collections.js';
import type { Intrinsic } from './intrinsic.js';
import { libraryIntrinsicFor } from './object-libraries.js';
import { OBJECT_INTRINSICS } from './objects.js';
import { PROMISE_INTRINSICS } from './promises.js';
import { SDK_INTRINSICS } from './sdk-results.js';
import { SDK_MODULE } from '@toolwright/sdk/contract-names';

let globals: ReadonlyMap<string, Intrinsic> | null = null;

// Put together when it is first asked for: intrinsics call the interpreter, which asks for intrinsics, and whichever of them is
// loaded first, the others are not there yet.
function globalIntrinsics(): ReadonlyMap<string, Intrinsic> {
  globals ??= new Map([...OBJECT_INTRINSICS, ...PROMISE_INTRINSICS, ...COLLECTION_INTRINSICS]);
  return globals;
}

export function intrinsicFor(callee: ExternalValue): Intrinsic | null {
  if (callee.module === SDK_MODULE) {
    return SDK_INTRINSICS.get(callee.path) ?? null;
  }
  return callee.module === ''
    ? (globalIntrinsics().get(callee.path.replace(/^(new )?globalThis\./u, '$1')) ?? null)
    : libraryIntrinsicFor(callee);
}

/** Library functions whose answer is computed from their arguments alone. */
const PURE =
  /^(?:Number|String|Boolean|BigInt|parseInt|parseFloat|isNaN|isFinite|encodeURI|encodeURIComponent|decodeURI|decodeURIComponent|escape|unescape|btoa|atob|(?:Math|Number|String|BigInt|Buffer|JSON|Reflect|Intl|Atomics|Object|Array|Date|URL|RegExp|ArrayBuffer|Temporal)\..+)$/u;

export function isPure(callee: ExternalValue): boolean {
  return (callee.module === '' || callee.module === '@types/node') && PURE.test(callee.path);
}
