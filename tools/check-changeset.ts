/**
 * A change to a reviewed API report needs a release note: a changeset that names the package.
 * Compared with where this branch left the main one; without such a point (a fresh or shallow clone,
 * no git at all) there is nothing to compare, which the check says and passes.
 */
import { execFile } from 'node:child_process';
import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { reportProblems } from './report-problems.js';
import { ROOT, publishedPackages } from './workspace.js';

const BASES = ['origin/main', 'main'];

export interface ChangesetReport {
  readonly problems: readonly string[];
  /** What was compared, for a person. */
  readonly lookedAt: string;
}

export async function checkChangesets(root: string): Promise<ChangesetReport> {
  const base = await mergeBase(root);
  if (base === null) {
    return { problems: [], lookedAt: 'no earlier commit of the main branch to compare with' };
  }
  const changed = await changedSince(root, base);
  // On a branch only its own notes count; work on the main branch itself may have committed one before.
  const isOnMain = (await git(root, ['symbolic-ref', '--short', 'HEAD']))?.trim() === 'main';
  const notes = await changesets(root, isOnMain ? null : changed);
  const problems: string[] = [];
  for (const { path: folder, manifest } of await publishedPackages(root)) {
    const reports = changed.filter((file) => file.startsWith(`${folder}/api/`));
    if (reports.length > 0 && !notes.some((note) => note.includes(manifest.name))) {
      problems.push(
        `${reports.join(', ')}: the public API of ${manifest.name} changed since ${base.slice(0, 10)}, and no new ` +
          `changeset names the package. Run \`pnpm changeset\` and say what a user gets or must do.`,
      );
    }
  }
  return { problems, lookedAt: `${changed.length} files changed since ${base.slice(0, 10)}` };
}

/** The front matter, where packages are named, of the changesets among the files; of all for null. */
async function changesets(root: string, files: readonly string[] | null): Promise<readonly string[]> {
  const present = await readdir(path.join(root, '.changeset')).catch((): string[] => []);
  const texts = await Promise.all(
    present
      .filter((name) => name.endsWith('.md') && name !== 'README.md')
      .filter((name) => files === null || files.includes(`.changeset/${name}`))
      .map((name) => readFile(path.join(root, '.changeset', name), 'utf8')),
  );
  return texts.map((text) => /^---\n([\s\S]*?)\n---/u.exec(text)?.[1] ?? '');
}

async function mergeBase(root: string): Promise<string | null> {
  for (const base of BASES) {
    const commit = await git(root, ['merge-base', 'HEAD', base]);
    if (commit !== null) {
      return commit.trim();
    }
  }
  return null;
}

/** Committed, staged, unstaged and new files alike, so that it also speaks before a commit. */
async function changedSince(root: string, base: string): Promise<readonly string[]> {
  const tracked = (await git(root, ['diff', '--name-only', '-z', base])) ?? '';
  const untracked = (await git(root, ['ls-files', '--others', '--exclude-standard', '-z'])) ?? '';
  return [...tracked.split('\0'), ...untracked.split('\0')].filter((file) => file !== '');
}

/** What git answers, or null when it cannot. */
async function git(root: string, args: readonly string[]): Promise<string | null> {
  try {
    const { stdout } = await promisify(execFile)('git', [...args], {
      cwd: root,
      maxBuffer: 64 * 1024 * 1024,
    });
    return stdout;
  } catch {
    return null;
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { problems, lookedAt } = await checkChangesets(ROOT);
  reportProblems(problems, lookedAt);
}
