/**
 * The packages as they would be published: packed, unpacked, and looked at with the eyes of the person
 * who installs them. publint reads the manifests, attw resolves the types, and the rest is ours.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { packPackages, type PackedPackage } from './pack-packages.js';
import { packedPackageProblems } from './packed-package-problems.js';
import { reportProblems } from './report-problems.js';
import { ROOT } from './workspace.js';

const folder = await mkdtemp(path.join(tmpdir(), 'toolwright-packed-'));
try {
  const packed = await packPackages(folder);
  const problems: string[] = [];
  for (const one of packed) {
    problems.push(
      ...(await packedPackageProblems(one)),
      ...(await manifestLint(one)),
      ...(await typeResolution(one)),
    );
  }
  reportProblems(problems, `${packed.length} tarballs are as a user needs them`);
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function manifestLint({ of, tarball }: PackedPackage): Promise<readonly string[]> {
  const bytes = await readFile(tarball);
  const { messages, pkg } = await publint({
    pack: { tarball: Uint8Array.from(bytes).buffer },
    strict: true,
    level: 'warning',
  });
  return messages.map(
    (message) =>
      `${of.manifest.name}: publint: ${formatMessage(message, pkg, { color: false }) ?? message.code}`,
  );
}

/** Packages are ESM only, so the resolutions of CommonJS are not asked for; data files have no types. */
async function typeResolution({ of, tarball }: PackedPackage): Promise<readonly string[]> {
  const data = Object.entries(of.manifest.exports)
    .filter(([, target]) => typeof target === 'string')
    .map(([subpath]) => subpath);
  const args = [tarball, '--profile', 'esm-only', '--format', 'ascii', '--no-color', '--no-emoji'];
  const excluded = data.length > 0 ? ['--exclude-entrypoints', ...data] : [];
  try {
    await promisify(execFile)(path.join(ROOT, 'node_modules/.bin/attw'), [...args, ...excluded]);
    return [];
  } catch (error) {
    const { stdout, stderr } = error as { stdout?: string; stderr?: string };
    return [`${of.manifest.name}: attw: ${(stdout ?? '') + (stderr ?? '')}`];
  }
}
