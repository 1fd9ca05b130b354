import path from 'node:path';

const EXTENSION = /\.(?:d\.)?[cm]?[jt]sx?$/u;

/** Whether a module specifier is a path rather than the name of a package. */
export function isPathSpecifier(specifier: string): boolean {
  return specifier.startsWith('.') || path.isAbsolute(specifier);
}

/** An absolute module path without what may differ between a specifier and a file: extension, `/index`. */
export function modulePath(file: string): string {
  return file
    .replace(EXTENSION, '')
    .replaceAll('\\', '/')
    .replace(/\/index$/u, '');
}

/** A module named in the options: a package, or a path relative to the folder in which ESLint runs. */
export interface NamedModule {
  /** Whether a specifier, written in this file, means the module. */
  isMeantBy(specifier: string, file: string): boolean;
  /** Whether the module is this file. */
  isFile(file: string): boolean;
  /** The package's name; null for a path. */
  readonly packageName: string | null;
}

export function namedModule(from: string, cwd: string): NamedModule {
  if (!isPathSpecifier(from)) {
    return {
      isMeantBy: (specifier) => specifier === from,
      isFile: () => false,
      packageName: from
        .split('/')
        .slice(0, from.startsWith('@') ? 2 : 1)
        .join('/'),
    };
  }
  const target = modulePath(path.resolve(cwd, from));
  return {
    isMeantBy: (specifier, file) =>
      isPathSpecifier(specifier) && modulePath(path.resolve(path.dirname(file), specifier)) === target,
    isFile: (file) => modulePath(path.resolve(cwd, file)) === target,
    packageName: null,
  };
}
