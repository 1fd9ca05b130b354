import path from 'node:path';

/** A path as the compiler writes it. */
export function toSlashes(fileName: string): string {
  return fileName.replaceAll('\\', '/');
}

/** An absolute path relative to a folder, with forward slashes; `.` for the folder itself. */
export function relativeTo(folder: string, fileName: string): string {
  return toSlashes(path.relative(folder, fileName)) || '.';
}

/** Whether a path is a folder or lies below it. Both absolute, with forward slashes. */
export function isWithin(folder: string, fileName: string): boolean {
  const prefix = folder.endsWith('/') ? folder : `${folder}/`;
  return fileName === folder || fileName.startsWith(prefix);
}

/** Whether a file belongs to an installed package. */
export function isInstalled(fileName: string): boolean {
  return fileName.includes('/node_modules/');
}
