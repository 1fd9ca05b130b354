import { AsyncLocalStorage } from 'node:async_hooks';
import type { MaybePromise } from '../tool/tool.js';
import type { ContentCall } from './raw-content-handler.js';

/** One piece of the installation's code that a content system calls around a write. */
export interface InstalledCode {
  /** How a note and the log name it, for example `hook afterChange of pages (clearTeasers)`. */
  readonly name: string;
  run(): MaybePromise<unknown>;
}

/**
 * One run of a content system on behalf of a tool: what a binding learns from the wrapper. The factory
 * of the raw handler is given it, and hooks that are installed once find it with `currentContentRun()`.
 */
export interface ContentRun extends ContentCall {
  /** Whether this run was started inside another one, to which its failures are rethrown. */
  readonly isNested: boolean;
  /** 0 in the run's own work; more inside the installation's code, whose writes are not the run's own. */
  readonly depth: number;
  /**
   * Runs a list of hooks or listeners in order, one level deeper. A failure after the writes becomes a
   * note and ends the list; any other failure is rethrown as it is.
   *
   * @returns whether all of them ran to their end
   */
  runHooks(hooks: readonly InstalledCode[]): Promise<boolean>;
  /** Runs other code of the installation (access, validation, defaults) one level deeper, as it is. */
  enter<T>(code: () => T): T;
}

/** Where the running code is: in which run, and how deep below the run's own work. */
export interface RunFrame {
  readonly run: ContentRun & { readonly isOver: boolean };
  readonly depth: number;
  readonly outer: RunFrame | undefined;
}

// Asynchronous context rather than a flag on a request: parallel calls share requests and connections.
export const runFrames = new AsyncLocalStorage<RunFrame>();

/** The frame of the innermost run that is still going. */
export function currentFrame(): RunFrame | undefined {
  let frame = runFrames.getStore();
  // Work that a hook left behind outlives its run; what it does later belongs to no run.
  while (frame?.run.isOver === true) {
    frame = frame.outer;
  }
  return frame;
}

/** How deep the running code is below the own work of one run. */
export function depthIn(run: ContentRun): number {
  const innermost = runFrames.getStore();
  for (let frame = innermost; frame !== undefined; frame = frame.outer) {
    if (frame.run === run) {
      return frame === innermost ? frame.depth : frame.depth + 1;
    }
  }
  return 0;
}

/** The run that the calling code belongs to, or undefined outside of every run of a tool. */
export function currentContentRun(): ContentRun | undefined {
  return currentFrame()?.run;
}
