import { currentContentRun, type ContentRun, type InstalledCode } from '@toolwright/sdk';
import type { Model, ModelStatic, Options, Sequelize } from 'sequelize';

type HookFunction = (...args: readonly unknown[]) => unknown;
type Hook = HookFunction | { readonly name: string; readonly fn: HookFunction };
type RunHooks = (hooks: unknown, ...args: readonly unknown[]) => Promise<void>;

/** Is told of the hooks that Sequelize comes to: those after a write run right after its statement. */
export type HookWitness = (kind: string, instance: unknown) => void;

const witnesses = new WeakMap<ContentRun, HookWitness>();

export function witnessHooks(run: ContentRun, witness: HookWitness): void {
  witnesses.set(run, witness);
}

const observed = new WeakSet<ModelStatic<Model>>();

/**
 * Sequelize calls all hooks of a model through its `runHooks`. Inside of a run, that hands the list to the run;
 * everywhere else it is what it was.
 */
export function observeModels(sequelize: Sequelize): void {
  // The types do not have the options of the instance, whose hooks run after those of the model.
  const common = (sequelize as unknown as { readonly options: Options }).options;
  for (const model of Object.values(sequelize.models)) {
    if (observed.has(model)) {
      continue;
    }
    observed.add(model);
    const runs = model as unknown as { runHooks: RunHooks };
    const original = runs.runHooks;
    runs.runHooks = async function runHooks(this: unknown, kind, ...args) {
      const run = currentContentRun();
      if (run === undefined || typeof kind !== 'string') {
        return original.call(this, kind, ...args);
      }
      if (run.depth === 0) {
        witnesses.get(run)?.(kind, args[0]);
      }
      const hooks = [...hooksOf(model.options.hooks, kind), ...hooksOf(common.hooks, kind)];
      await run.runHooks(hooks.map((hook) => installed(kind, model.name, hook, args)));
    };
  }
}

function hooksOf(hooks: unknown, kind: string): readonly Hook[] {
  const list = (hooks as Readonly<Record<string, readonly Hook[] | undefined>> | undefined)?.[kind];
  return list ?? [];
}

function installed(kind: string, model: string, hook: Hook, args: readonly unknown[]): InstalledCode {
  const call = typeof hook === 'function' ? hook : hook.fn;
  return { name: `hook ${kind} of ${model} (${hook.name || 'unnamed'})`, run: () => call(...args) };
}
