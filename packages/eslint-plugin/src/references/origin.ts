import type { TSESTree } from '@typescript-eslint/utils';

/** Where a value comes from, as far as one file says. */
export type Origin =
  /** An export of another module: `path` is empty for the module itself. */
  | { readonly kind: 'module'; readonly module: string; readonly path: readonly string[] }
  /** A name that the file does not declare, and members of it. */
  | { readonly kind: 'global'; readonly path: readonly string[] }
  /** A parameter, or a variable without a value: what the file knows of it is its type. */
  | {
      readonly kind: 'declared';
      readonly declaration: TSESTree.Parameter | TSESTree.VariableDeclarator;
      readonly identifier: TSESTree.Identifier;
      readonly path: readonly string[];
    }
  /** Where the search ended: a class, a function, an object, a literal, a call, … of this file. */
  | { readonly kind: 'node'; readonly node: TSESTree.Node };

/** A member of what an origin stands for, where that is not in this file. */
export function memberOfOrigin(origin: Exclude<Origin, { kind: 'node' }>, name: string): Origin {
  return { ...origin, path: [...origin.path, name] };
}

/** Whether an origin is this export of this module. */
export function isExport(origin: Origin, module: string, ...path: readonly string[]): boolean {
  return (
    origin.kind === 'module' &&
    origin.module === module &&
    origin.path.length === path.length &&
    origin.path.every((name, index) => name === path[index])
  );
}

/** Whether an origin is this global, such as `Reflect.construct`; `globalThis.` may lead. */
export function isGlobal(origin: Origin, ...path: readonly string[]): boolean {
  if (origin.kind !== 'global') {
    return false;
  }
  const found = withoutGlobalObject(origin.path);
  return found.length === path.length && found.every((name, index) => name === path[index]);
}

const GLOBAL_OBJECTS: ReadonlySet<string> = new Set(['globalThis', 'global', 'window', 'self']);

/** The path of a global without the `globalThis` that may lead it. */
export function withoutGlobalObject(path: readonly string[]): readonly string[] {
  return GLOBAL_OBJECTS.has(path[0] ?? '') ? path.slice(1) : path;
}
