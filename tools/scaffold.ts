import { access, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { format, resolveConfig } from 'prettier';
import { ROOT } from './workspace.js';

/** A refusal that tells what to type instead; ends a scaffold with exit code 2. */
export class ScaffoldError extends Error {
  override readonly name = 'ScaffoldError';
}

/**
 * Writes the files of a new folder, and refuses to touch one that is there.
 *
 * @param folder relative to the root
 * @throws ScaffoldError when the folder exists
 */
export async function writeFolder(
  folder: string,
  files: Readonly<Record<string, string>>,
  root: string = ROOT,
): Promise<void> {
  const isTaken = await access(path.join(root, folder)).then(
    () => true,
    () => false,
  );
  if (isTaken) {
    throw new ScaffoldError(`${folder} is there already. Choose another name, or change what is there.`);
  }
  const options = await resolveConfig(path.join(root, 'package.json'));
  for (const [name, text] of Object.entries(files)) {
    const target = path.join(root, folder, name);
    await mkdir(path.dirname(target), { recursive: true });
    const isFixture = name.startsWith('fixtures/');
    await writeFile(target, isFixture ? text : await format(text, { ...options, filepath: target }));
    console.log(`wrote ${folder}/${name}`);
  }
}

/** @throws ScaffoldError when the name is missing or not in kebab-case. */
export function kebabCaseName(given: string | undefined, example: string): string {
  if (given === undefined || !/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/u.test(given)) {
    throw new ScaffoldError(
      `Expected a name in kebab-case, for example \`${example}\`; found ${given === undefined ? 'none' : `"${given}"`}.`,
    );
  }
  return given;
}

/** Runs a scaffold; a refusal is printed, and anything else is a fault of the scaffold. */
export async function runScaffold(scaffold: () => Promise<void>): Promise<void> {
  try {
    await scaffold();
  } catch (error) {
    if (!(error instanceof ScaffoldError)) {
      throw error;
    }
    console.error(error.message);
    process.exitCode = 2;
  }
}
