import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import ts from 'typescript';

/**
 * Deletes from a package's `dist` what its sources do not make any more: the compiler leaves the outputs of
 * deleted and renamed files behind, and a release would carry them.
 *
 * @param folder absolute, with a tsconfig.json
 */
export async function removeStaleBuild(folder: string): Promise<void> {
  const config = path.join(folder, 'tsconfig.json');
  const { config: json } = ts.readConfigFile(config, (file) => ts.sys.readFile(file)) as { config: unknown };
  const parsed = ts.parseJsonConfigFileContent(json, ts.sys, folder, undefined, config);
  const made = new Set(
    parsed.fileNames
      .flatMap((file) => ts.getOutputFileNames(parsed, file, !ts.sys.useCaseSensitiveFileNames))
      .map((file) => path.resolve(file)),
  );
  const dist = parsed.options.outDir ?? path.join(folder, 'dist');
  const entries = await readdir(dist, { recursive: true, withFileTypes: true }).catch(() => []);
  for (const entry of entries) {
    const file = path.resolve(entry.parentPath, entry.name);
    if (entry.isFile() && !made.has(file) && file !== parsed.options.tsBuildInfoFile) {
      await rm(file);
    }
  }
}
