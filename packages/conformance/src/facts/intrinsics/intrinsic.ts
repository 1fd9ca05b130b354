import type { CallSite, ExternalValue, Value } from '../values/value.js';
import type { Machine } from '../interpret/machine.js';

/** What a function that is not in the project's code does, where its declaration says too little. */
export type Intrinsic = (machine: Machine, site: CallSite, callee: ExternalValue) => Value;
