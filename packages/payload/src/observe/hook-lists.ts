import { currentContentRun, type ContentRun } from '@toolwright/sdk';
import { recordOf, type AfterList } from './run-record.js';

/** A hook as Payload calls it: with one object, and with an answer that replaces what it was given. */
export type Hook = (args: never) => unknown;

/** Where a list of hooks stands in the configuration. */
export interface HookPlace {
  /** For example `afterChange`. */
  readonly kind: string;
  /** For example `posts` or `posts.title`. */
  readonly owner: string;
}

/** How a note names a hook: by its function, or by its position where that has no name. */
export function hookName({ kind, owner }: HookPlace, hook: Hook, index: number): string {
  return hook.name === '' ? `hook ${kind}[${index}] of ${owner}` : `hook ${kind} of ${owner} (${hook.name})`;
}

const observed = new WeakSet<readonly Hook[]>();

/**
 * Lets a list of hooks run as a run of a tool wants it: each time Payload iterates the list inside of one,
 * the hooks go through the run, which ends the list after one that failed after the writes. Outside of
 * every run the iteration is the array's own, and each hook the installation's own function.
 */
export function observeHookList(list: readonly Hook[], place: HookPlace): void {
  if (observed.has(list)) {
    return;
  }
  observed.add(list);
  Object.defineProperty(list, Symbol.iterator, {
    configurable: true,
    value: function* passes(this: readonly Hook[]): Generator<Hook> {
      const run = currentContentRun();
      yield* run === undefined ? values(this) : passOf(this, place, run);
    },
  });
}

function values(list: readonly Hook[]): IterableIterator<Hook> {
  return Array.prototype.values.call(list) as IterableIterator<Hook>;
}

/** One pass over a list: what Payload does with the answers of the hooks stays Payload's business. */
function* passOf(list: readonly Hook[], place: HookPlace, run: ContentRun): Generator<Hook> {
  let hasEnded = false;
  let index = 0;
  for (const hook of values(list)) {
    const name = hookName(place, hook, index);
    index += 1;
    yield async (args: never) => {
      if (hasEnded) {
        return undefined;
      }
      markBegun(place, run, args);
      let answer: unknown;
      const hasRun = await run.runHooks([
        {
          name,
          run: async () => {
            answer = await hook(args);
          },
        },
      ]);
      hasEnded = !hasRun;
      return hasRun ? answer : undefined;
    };
  }
}

const AFTER_LISTS: readonly string[] = ['afterChange', 'afterDelete', 'afterOperation'] satisfies AfterList[];
// The operation of a run writes; the same lists are iterated for what it reads on the way.
const WRITING_OPERATIONS: readonly unknown[] = [
  'create',
  'update',
  'updateByID',
  'deleteByID',
  'restoreVersion',
];

function markBegun({ kind }: HookPlace, run: ContentRun, args: { readonly operation?: unknown }): void {
  const isOwn = run.depth === 0 && (kind !== 'afterOperation' || WRITING_OPERATIONS.includes(args.operation));
  if (isOwn && AFTER_LISTS.includes(kind)) {
    recordOf(run)?.begun(kind as AfterList);
  }
}
