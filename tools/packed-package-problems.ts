import { readFile, stat } from 'node:fs/promises';
import { builtinModules } from 'node:module';
import path from 'node:path';
import ts from 'typescript';
import type { PackedPackage } from './pack-packages.js';
import { readManifest, type Manifest } from './workspace.js';

const SDK = '@toolwright/sdk';
/** The SDK's subpath that is plain data, so that a second copy does no harm. */
const SDK_DATA = `${SDK}/contract-names`;

const UNWANTED =
  /\.(test(-d)?|cases)\.|(^|\/)(fixtures|__snapshots__)\/|\.tsbuildinfo$|\.api\.md$|(^|\/)tsconfig[^/]*\.json$/u;

/** What would be wrong with a package for the person who installs it; empty when nothing is. */
export async function packedPackageProblems(packed: PackedPackage): Promise<readonly string[]> {
  const manifest = await readManifest(packed.content);
  const problems = [
    ...(await fileProblems(packed)),
    ...(await manifestProblems(packed, manifest)),
    ...(await importProblems(packed, manifest)),
  ];
  return problems.map((problem) => `${packed.of.manifest.name}: ${problem}`);
}

async function fileProblems(packed: PackedPackage): Promise<readonly string[]> {
  const present = new Set(packed.files);
  const problems = packed.files
    .filter((file) => UNWANTED.test(file))
    .map((file) => `${file} is published. Exclude it under "files" in package.json.`);
  for (const file of ['LICENSE', 'README.md']) {
    if (!present.has(file)) {
      problems.push(`${file} is missing. Put it beside package.json.`);
    }
  }
  for (const built of packed.files.filter((file) => /^dist\/.*\.js$/u.test(file))) {
    // A thread's entry point is JavaScript in the sources too, so that it runs without a build.
    const written = built.replace(/^dist\//u, 'src/');
    const source = written.replace(/\.js$/u, '.ts');
    if (!present.has(source) && !present.has(written)) {
      problems.push(`${built} has no ${source}. Delete dist and build again, or publish the source.`);
    }
    for (const beside of [built.replace(/\.js$/u, '.d.ts'), built.replace(/\.js$/u, '.d.ts.map')]) {
      if (!present.has(beside)) {
        problems.push(`${beside} is missing, so an editor cannot lead from a name to its source.`);
      }
    }
  }
  return problems;
}

async function manifestProblems(packed: PackedPackage, manifest: Manifest): Promise<readonly string[]> {
  const problems: string[] = [];
  const present = new Set(packed.files);
  const text = await readFile(path.join(packed.content, 'package.json'), 'utf8');
  for (const protocol of text.match(/"(workspace|catalog|link|file):[^"]*"/gu) ?? []) {
    problems.push(`package.json still says ${protocol}, which no other package manager can follow.`);
  }
  for (const [subpath, conditions] of Object.entries(manifest.exports)) {
    const targets = typeof conditions === 'string' ? [conditions] : Object.values(conditions);
    for (const target of targets.filter((file) => !present.has(file.replace(/^\.\//u, '')))) {
      problems.push(`export "${subpath}" leads to ${target}, which is not published.`);
    }
  }
  for (const [name, file] of Object.entries(manifest.bin)) {
    const command = path.join(packed.content, file);
    const start = await readFile(command, 'utf8').catch(() => null);
    if (start === null) {
      problems.push(`command ${name} leads to ${file}, which is not published.`);
    } else if (!start.startsWith('#!/usr/bin/env node\n') || ((await stat(command)).mode & 0o111) === 0) {
      problems.push(`command ${name}: ${file} needs "#!/usr/bin/env node" and the executable bit.`);
    }
  }
  return problems;
}

/** Code and declarations import what an installation has: dependencies, peers, Node's own modules. */
async function importProblems(packed: PackedPackage, manifest: Manifest): Promise<readonly string[]> {
  const problems = new Set<string>();
  const declared = { ...manifest.dependencies, ...manifest.peerDependencies };
  for (const file of packed.files.filter((name) => /^dist\/.*\.(js|d\.ts)$/u.test(name))) {
    const code = await readFile(path.join(packed.content, file), 'utf8');
    for (const { fileName: specifier } of ts.preProcessFile(code, true, true).importedFiles) {
      const name = packageName(specifier);
      const isOwn = specifier.startsWith('.') || name === manifest.name;
      if (isOwn || specifier.startsWith('node:') || builtinModules.includes(name)) {
        continue;
      }
      if (!(name in declared)) {
        problems.add(`${file} imports ${specifier}, which is neither a dependency nor a peer.`);
      }
      if (name === SDK && specifier !== SDK_DATA && !(SDK in manifest.peerDependencies)) {
        problems.add(
          `${file} imports ${specifier}; make ${SDK} a peer, so that its results and targets are those of the plugin.`,
        );
      }
    }
  }
  if (SDK in manifest.peerDependencies && SDK in manifest.dependencies) {
    problems.add(
      `${SDK} is both a peer and a dependency; a second copy would not know the first one's results.`,
    );
  }
  return [...problems];
}

function packageName(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}
