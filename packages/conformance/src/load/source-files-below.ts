import { globSync } from 'tinyglobby';
import { toSlashes } from './paths.js';

const SOURCE = '**/*.{ts,tsx,mts,cts,js,jsx,mjs,cjs}';

/** Folders whose files a build wrote. Read only when somebody names them. */
const NOT_SOURCE = [
  '**/node_modules/**',
  '**/.git/**',
  '**/{dist,build,out,coverage,.next,.turbo,.cache}/**',
];
const NOT_CODE = ['**/*.d.{ts,mts,cts}', '**/*.min.{js,mjs,cjs}'];

/** Absolute paths of the source files below a folder, sorted; installed packages and build output left out. */
export function sourceFilesBelow(folder: string): readonly string[] {
  return find(folder, SOURCE, [...NOT_SOURCE, ...NOT_CODE]);
}

/** How many files a folder's build output holds, for the message when there is nothing else. */
export function builtFilesBelow(folder: string): readonly string[] {
  return find(folder, '**/{dist,build,out}/**/*.{js,mjs,cjs}', ['**/node_modules/**', '**/.git/**']);
}

/** Absolute paths of the configurations below a folder, the folder's own left out. */
export function configsBelow(folder: string): readonly string[] {
  return find(folder, '*/**/{tsconfig,jsconfig}.json', NOT_SOURCE);
}

function find(folder: string, glob: string, ignore: readonly string[]): readonly string[] {
  return globSync(glob, {
    cwd: folder,
    absolute: true,
    dot: false,
    followSymbolicLinks: false,
    onlyFiles: true,
    ignore,
  })
    .map(toSlashes)
    .sort();
}
