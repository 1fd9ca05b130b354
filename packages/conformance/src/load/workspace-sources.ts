import { existsSync } from 'node:fs';
import path from 'node:path';
import { foldersUpward, readPackageJson } from './package-json.js';
import { toSlashes } from './paths.js';
import { workspacePackages } from './workspace-packages.js';

const BUILT_FOLDER = /^(?:\.\/)?(?:dist|build|lib|out|esm|cjs)\/(?:(?:esm|cjs|src|types|node)\/)?/u;
const BUILT_EXTENSION = /(?:\.d)?\.[cm]?[jt]sx?$/u;
const EXTENSIONS = ['.ts', '.tsx', '.mts', '.cts', '.js', '.mjs', '.cjs', '.jsx'];

/**
 * Finds the sources of a workspace's packages by their names, as an installation would link them: what is
 * checked is often not installed, and then the packages of one workspace would not know each other.
 */
export class WorkspaceSources {
  readonly #packages: ReadonlyMap<string, string>;
  readonly #found = new Map<string, string | null>();

  /** @param root - absolute folder of a project, somewhere in a workspace or not */
  constructor(root: string) {
    this.#packages = packagesAround(root);
  }

  /** The absolute path of the source that an import of a package, or of a file of it, means; null without one. */
  resolve(specifier: string): string | null {
    const known = this.#found.get(specifier);
    if (known !== undefined) {
      return known;
    }
    const found = this.#find(specifier);
    this.#found.set(specifier, found);
    return found;
  }

  #find(specifier: string): string | null {
    const parts = specifier.split('/');
    const length = specifier.startsWith('@') ? 2 : 1;
    const folder = this.#packages.get(parts.slice(0, length).join('/'));
    if (folder === undefined) {
      return null;
    }
    const subpath = parts.slice(length).join('/');
    const packageJson = readPackageJson(folder) as Readonly<Record<string, unknown>> | null;
    const targets = [
      ...targetsOf(packageJson?.['exports'], subpath === '' ? '.' : `./${subpath}`),
      ...(subpath === ''
        ? [packageJson?.['source'], packageJson?.['types'], packageJson?.['module'], packageJson?.['main']]
        : [subpath]),
      ...(subpath === ''
        ? ['./src/index', './index', './src/main']
        : [`./src/${subpath}`, `./src/${subpath}/index`]),
    ].filter((target): target is string => typeof target === 'string');
    for (const target of targets) {
      const source = sourceOf(folder, target);
      if (source !== null) {
        return source;
      }
    }
    return null;
  }
}

/** The packages of the nearest workspace around a folder, by name. */
function packagesAround(root: string): ReadonlyMap<string, string> {
  for (const above of foldersUpward(root)) {
    const folders = workspacePackages(above);
    if (folders !== null) {
      return new Map(
        folders.flatMap((folder) => {
          const name = readPackageJson(folder)?.name;
          return typeof name === 'string' ? [[name, folder] as const] : [];
        }),
      );
    }
    if (existsSync(path.join(above, '.git'))) {
      break;
    }
  }
  return new Map();
}

/** Every file that an export names, whatever the condition; its `source` first. */
function targetsOf(exports: unknown, key: string): readonly string[] {
  if (typeof exports === 'string') {
    return key === '.' ? [exports] : [];
  }
  if (typeof exports !== 'object' || exports === null) {
    return [];
  }
  const record = exports as Readonly<Record<string, unknown>>;
  if (!Object.keys(record).some((name) => name.startsWith('.'))) {
    return key === '.' ? leaves(record) : [];
  }
  const exact = record[key];
  if (exact !== undefined) {
    return leaves(exact);
  }
  for (const [pattern, target] of Object.entries(record)) {
    const [before = '', after] = pattern.split('*');
    if (after !== undefined && key.startsWith(before) && key.endsWith(after)) {
      const star = key.slice(before.length, key.length - after.length);
      return leaves(target).map((leaf) => leaf.replace('*', star));
    }
  }
  return [];
}

function leaves(target: unknown): readonly string[] {
  if (typeof target === 'string') {
    return [target];
  }
  if (typeof target !== 'object' || target === null) {
    return [];
  }
  const entries = Object.entries(target);
  return [
    ...entries.filter(([name]) => name === 'source'),
    ...entries.filter(([name]) => name !== 'source'),
  ].flatMap(([, inner]) => leaves(inner));
}

/** The source of a file that a package names: the file itself, or what it is built from. */
function sourceOf(folder: string, target: string): string | null {
  const bare = target.replace(/^\.\//u, '');
  const isBuilt = BUILT_FOLDER.test(bare);
  const stem = bare.replace(BUILT_EXTENSION, '');
  const inSource = stem.replace(BUILT_FOLDER, 'src/');
  const atRoot = stem.replace(BUILT_FOLDER, '');
  const extension = BUILT_EXTENSION.exec(bare)?.[0] ?? '';
  // Nobody builds TypeScript into TypeScript: such a file is a source in whatever folder it lies.
  const isSource = !extension.startsWith('.d') && (!isBuilt || extension.includes('ts'));
  const candidates = [
    ...(isSource ? [bare] : []),
    ...[inSource, ...(isBuilt ? [atRoot] : []), stem]
      .filter((candidate) => !isBuilt || candidate !== stem)
      .flatMap((candidate) => EXTENSIONS.map((extension) => `${candidate}${extension}`)),
  ];
  const found = candidates
    .map((candidate) => path.join(folder, candidate))
    .find((candidate) => EXTENSIONS.some((one) => candidate.endsWith(one)) && existsSync(candidate));
  return found === undefined ? null : toSlashes(found);
}
