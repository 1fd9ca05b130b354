import {
  GLOBALS,
  loadCatalogue,
  UNKNOWN,
  type AbstractValue,
  type Catalogue,
  type ExtraEntry,
} from '@toolwright/catalogue';
import type { LibraryOrigin } from '../values/library.js';
import type { ExternalValue } from '../values/value.js';

/** A builder that is called on and on comes no further: the catalogue's view of it stays the same. */
const LONGEST_PATH = 14;
const GLOBAL_OBJECTS = new Set(['globalThis', 'window', 'self', 'global']);

/** Follows values into libraries, step by step, as the catalogue of effects knows them. */
export class Libraries {
  readonly #entries: readonly ExtraEntry[];
  readonly #externals = new WeakMap<ExternalValue, LibraryOrigin>();
  #catalogue: Catalogue | null = null;

  constructor(entries: readonly ExtraEntry[] = []) {
    this.#entries = entries;
  }

  /** Read when it is first needed: a project without library calls has no use for it. */
  get catalogue(): Catalogue {
    this.#catalogue ??= loadCatalogue(this.#entries);
    return this.#catalogue;
  }

  ofExternal(external: ExternalValue): LibraryOrigin {
    let origin = this.#externals.get(external);
    if (origin === undefined) {
      const { module, path } = placeOf(external);
      origin = { module, path, value: this.catalogue.valueAt({ module, path }), made: null };
      this.#externals.set(external, origin);
    }
    return origin;
  }

  /** An instance of a declared type; null where the catalogue knows no such type. */
  ofType(module: string, name: string): LibraryOrigin | null {
    const value = this.catalogue.instanceOf(module === '' ? GLOBALS : withoutTypes(module), name);
    return value === null ? null : { module: value.module, path: value.path, value, made: null };
  }

  /** A value that has the members of several declared types. */
  ofTypes(module: string, names: readonly string[]): LibraryOrigin | null {
    const [first, ...more] = names.flatMap((name) => this.ofType(module, name) ?? []);
    if (first?.value === null || first?.value === undefined) {
      return null;
    }
    const types = [first, ...more].flatMap(({ value }) => value?.types ?? []);
    return { ...first, value: { ...first.value, types } };
  }

  member(origin: LibraryOrigin, name: string): LibraryOrigin {
    const value = origin.value === null ? null : this.catalogue.member(origin.value, name);
    // What a promise holds is looked through, as its calls are.
    if (value === null && (name === 'then' || name === 'catch' || name === 'finally')) {
      return origin;
    }
    return { module: origin.module, path: longer(origin.path, name), value, made: origin.made };
  }

  called(origin: LibraryOrigin, args: () => readonly AbstractValue[]): LibraryOrigin {
    const { value } = origin;
    const known = value === null ? [] : args().map(bounded);
    const given = value === null ? null : this.catalogue.called(value, known.length);
    // The text of what was made says what that says: `new URL(path, base).toString()`.
    const made =
      origin.made !== null && isText(origin.path.at(-1))
        ? origin.made
        : { kind: 'made' as const, module: origin.module, path: origin.path, arguments: known };
    return { module: origin.module, path: longer(origin.path, '()'), value: given, made };
  }

  constructed(origin: LibraryOrigin, args: () => readonly AbstractValue[]): LibraryOrigin {
    const value = origin.value === null ? null : this.catalogue.constructed(origin.value);
    const known = origin.value === null ? [] : args().map(bounded);
    const made = { kind: 'made' as const, module: origin.module, path: origin.path, arguments: known };
    return { module: origin.module, path: longer(origin.path, 'new()'), value, made };
  }

  /** What the first parameter of a function is that a call runs; null when nothing is known of it. */
  passed(origin: LibraryOrigin): LibraryOrigin | null {
    const value = origin.value === null ? null : this.catalogue.passed(origin.value);
    return value === null ? null : { module: value.module, path: value.path, value, made: null };
  }
}

/** A value that was made of values that were made of values: past this size nobody reads it. */
const LARGEST = 400;
const SIZES = new WeakMap<AbstractValue, number>();

function bounded(value: AbstractValue): AbstractValue {
  return sizeOf(value) > LARGEST ? UNKNOWN : value;
}

/** How many values a value holds, itself among them. */
function sizeOf(value: AbstractValue): number {
  let size = SIZES.get(value);
  if (size === undefined) {
    size = partsOf(value).reduce((all, part) => all + sizeOf(part), 1);
    SIZES.set(value, size);
  }
  return size;
}

function partsOf(value: AbstractValue): readonly AbstractValue[] {
  switch (value.kind) {
    case 'one-of':
      return value.values;
    case 'template':
      return value.parts;
    case 'object':
      return Object.values(value.properties);
    case 'array':
      return value.elements;
    case 'json':
      return [value.value];
    case 'made':
      return value.arguments;
    default:
      return [];
  }
}

function isText(method: string | undefined): boolean {
  return method === 'toString' || method === 'toJSON';
}

function longer(path: readonly string[], step: string): readonly string[] {
  return path.length >= LONGEST_PATH ? [...path.slice(0, -1), step] : [...path, step];
}

function placeOf(external: ExternalValue): { readonly module: string; readonly path: readonly string[] } {
  const { importedAs } = external;
  if (importedAs !== undefined) {
    return { module: importedAs.module, path: [...stepsOf(importedAs.path), ...external.members] };
  }
  const steps = stepsOf(external.path);
  if (external.module === '') {
    while (steps.length > 1 && GLOBAL_OBJECTS.has(steps[0] ?? '')) {
      steps.shift();
    }
    return { module: GLOBALS, path: steps };
  }
  return { module: withoutTypes(external.module), path: steps };
}

/** A module as a whole is named by its quoted specifier. */
function stepsOf(path: string): string[] {
  return path
    .replace(/^"[^"]*"\.?/u, '')
    .split('.')
    .filter((step) => step !== '');
}

/** `@types/pg` declares `pg`, `@types/acme__crm` declares `@acme/crm`. */
function withoutTypes(module: string): string {
  if (!module.startsWith('@types/')) {
    return module;
  }
  const name = module.slice('@types/'.length);
  return name.includes('__') ? `@${name.replace('__', '/')}` : name;
}
