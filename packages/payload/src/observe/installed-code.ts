import { currentContentRun } from '@toolwright/sdk';
import type { Block, Field, Payload } from 'payload';
import { observeHookList, type Hook } from './hook-lists.js';
import { recordOf } from './run-record.js';

/**
 * Observes everything of the installation that Payload calls around an operation: the lists of hooks, and
 * the functions beside them that may write as well (access, validation, defaults, filters).
 */
export function observeInstalledCode(payload: Payload): void {
  const seen = new WeakSet();
  for (const { config } of Object.values(payload.collections)) {
    remember(config.hooks.beforeChange);
    observeHooks(config.hooks, config.slug);
    enterFunctions(config.access);
    observeFields(config.fields, config.slug, seen);
  }
  for (const config of payload.globals.config) {
    remember(config.hooks.beforeChange);
    observeHooks(config.hooks, config.slug);
    enterFunctions(config.access);
    observeFields(config.fields, config.slug, seen);
  }
  for (const block of payload.config.blocks ?? []) {
    observeFields(block.fields, block.slug, seen);
  }
}

function observeHooks(hooks: object | undefined, owner: string): void {
  for (const [kind, list] of Object.entries(hooks ?? {})) {
    if (Array.isArray(list)) {
      observeHookList(list as readonly Hook[], { kind, owner });
    }
  }
}

// Everything below a field that holds fields or code, as the field types of Payload have them.
interface FieldParts {
  readonly name?: string;
  readonly hooks?: object;
  readonly access?: object;
  readonly editor?: { readonly hooks?: object };
  readonly fields?: readonly Field[];
  readonly tabs?: readonly {
    readonly name?: string;
    readonly fields: readonly Field[];
    readonly hooks?: object;
  }[];
  readonly blocks?: readonly (Block | string)[];
  readonly blockReferences?: readonly (Block | string)[];
}

const FIELD_FUNCTIONS = ['validate', 'defaultValue', 'filterOptions'] as const;

function observeFields(fields: readonly Field[], owner: string, seen: WeakSet<object>): void {
  for (const field of fields) {
    if (!seen.has(field)) {
      seen.add(field);
      observeField(field as unknown as FieldParts, owner, seen);
    }
  }
}

function observeField(field: FieldParts, owner: string, seen: WeakSet<object>): void {
  const own = field.name === undefined ? owner : `${owner}.${field.name}`;
  observeHooks(field.hooks, own);
  observeHooks(field.editor?.hooks, own);
  enterFunctions(field.access);
  enterFunctions(field, FIELD_FUNCTIONS);
  observeFields(field.fields ?? [], own, seen);
  for (const tab of field.tabs ?? []) {
    const tabOwner = tab.name === undefined ? own : `${own}.${tab.name}`;
    observeHooks(tab.hooks, tabOwner);
    observeFields(tab.fields, tabOwner, seen);
  }
  for (const block of [...(field.blocks ?? []), ...(field.blockReferences ?? [])]) {
    if (typeof block === 'object') {
      observeFields(block.fields, `${own}.${block.slug}`, seen);
    }
  }
}

type Code = (this: unknown, ...args: unknown[]) => unknown;
const entering = new WeakSet<Code>();

/** Replaces functions of an object by ones that run one level deeper inside of a run. */
function enterFunctions(
  owner: object | undefined,
  names: readonly string[] = Object.keys(owner ?? {}),
): void {
  const functions = (owner ?? {}) as Record<string, unknown>;
  for (const name of names) {
    const code = functions[name];
    if (typeof code === 'function' && !entering.has(code as Code)) {
      functions[name] = deeper(code as Code);
    }
  }
}

function deeper(code: Code): Code {
  const entered: Code = function entered(...args) {
    const run = currentContentRun();
    return run === undefined ? code.apply(this, args) : run.enter(() => code.apply(this, args));
  };
  Object.defineProperty(entered, 'name', { value: code.name });
  entering.add(entered);
  return entered;
}

interface BeforeChange {
  readonly data?: unknown;
  readonly originalDoc?: unknown;
  readonly req: never;
}

/** Adds a hook that keeps what later hooks would be told, for the case that Payload does not come to them. */
function remember(list: Hook[]): void {
  if (!list.includes(rememberChange)) {
    list.push(rememberChange);
  }
}

function rememberChange({ data, originalDoc, req }: BeforeChange): undefined {
  const run = currentContentRun();
  // The hook itself runs one level below the operation whose change it sees.
  if (run?.depth === 1) {
    recordOf(run)?.learned({ data, originalDoc, req });
  }
}
