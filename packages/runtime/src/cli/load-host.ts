import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { errorClass, type MaybePromise } from '@toolwright/sdk';
import type { Runtime } from '../create-runtime.js';
import { RuntimeError } from '../errors.js';
import type { Terminal } from './terminal.js';

/** What the operator's module exports. */
export interface OperatorHost {
  /** The host's runtime, or what makes it. */
  readonly runtime: Runtime | (() => MaybePromise<Runtime>);
  /** Closes what the host opened; called before the command ends. */
  readonly close?: () => MaybePromise<void>;
}

/** A host that was loaded. */
export interface LoadedHost {
  readonly runtime: Runtime;
  close(): Promise<void>;
}

const METHODS = [
  'work',
  'reap',
  'resume',
  'pauses',
  'card',
  'approve',
  'decline',
  'cancel',
  'trace',
  'resolve',
];

/**
 * Loads the module that the operator named, which runs it.
 *
 * @throws RuntimeError with code `HOST_NOT_LOADED`, or what the host itself answers, such as `STORE_UNAVAILABLE`.
 */
export async function loadHost(given: string | null, { cwd, env }: Terminal): Promise<LoadedHost> {
  const named = given ?? env['TOOLWRIGHT_HOST'] ?? '';
  if (named === '') {
    throw notLoaded(
      'expected the path of its module, found none',
      'Give --host FILE, or set TOOLWRIGHT_HOST.',
    );
  }
  const file = path.resolve(cwd, named);
  let module: Partial<Record<keyof OperatorHost, unknown>>;
  try {
    module = (await import(pathToFileURL(file).href)) as typeof module;
  } catch (error) {
    if (error instanceof RuntimeError) {
      throw error;
    }
    throw notLoaded(
      `expected a module at ${JSON.stringify(file)}, found that it cannot be loaded (${errorClass(error)}: ${messageOf(error)})`,
      'Check the path, and that the module runs with this Node by itself.',
      error,
    );
  }
  const { runtime: exported, close } = module;
  const runtime: unknown = typeof exported === 'function' ? await (exported as () => unknown)() : exported;
  if (!isRuntime(runtime)) {
    throw notLoaded(
      `expected ${JSON.stringify(file)} to export a runtime, found ${exported === undefined ? 'no export of that name' : 'something else'}`,
      'Export what createRuntime gives as `runtime`, or a function that makes it.',
    );
  }
  return {
    runtime,
    async close() {
      await (typeof close === 'function' ? (close as () => MaybePromise<void>)() : undefined);
    },
  };
}

function isRuntime(value: unknown): value is Runtime {
  return (
    typeof value === 'object' &&
    value !== null &&
    METHODS.every((name) => typeof (value as Readonly<Record<string, unknown>>)[name] === 'function')
  );
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message.slice(0, 500) : '';
}

function notLoaded(what: string, remedy: string, cause?: unknown): RuntimeError {
  return new RuntimeError(
    'HOST_NOT_LOADED',
    `Cannot load the host: ${what}. ${remedy}`,
    cause === undefined ? undefined : { cause },
  );
}
