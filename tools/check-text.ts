/**
 * What the formatter and the linter do not see: names of files, their length, and words that do not
 * belong into a text which others read without knowing where it was written.
 */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { reportProblems } from './report-problems.js';
import { ROOT } from './workspace.js';

const MAX_LINES = 500;

interface TextRule {
  /** What to do about a hit. */
  readonly remedy: string;
  readonly pattern: RegExp;
  /** The files it reads; all text without it. */
  readonly files?: RegExp;
  readonly notFiles?: RegExp;
}

const LOCKFILE = /^pnpm-lock\.yaml$/u;
const FIXTURES = /(^|\/)fixtures\//u;
const TEST_CODE = /\.test(-d)?\.ts$/u;
// These two name what they look for.
const OWN = /^tools\/check-text(\.test)?\.ts$/u;

const TEXT_RULES: readonly TextRule[] = [
  {
    remedy: 'A path of one machine means nothing on another. Use a relative path.',
    pattern: /(?<![\w.~:/])(\/(home|root|Users|work)\/\w|[A-Z]:\\Users\\)/u,
  },
  {
    remedy: 'The lockfile names where packages come from. Install from the default registry and commit that.',
    pattern: /tarball:|https?:\/\//u,
    files: LOCKFILE,
  },
  {
    remedy: 'Which registry is used is the business of whoever installs. Leave its host out.',
    pattern: /\bregistry\.[a-z0-9-]+\.[a-z]{2,}/iu,
  },
  {
    remedy: 'Do it now, or open an issue; an unfinished place is not left in the code.',
    pattern: /\b(TODO|FIXME|XXX)\b|\bnot (yet )?implemented\b/u,
    notFiles: LOCKFILE,
  },
  {
    remedy: 'A test that does not run proves nothing. Repair it or delete it.',
    pattern:
      /\b(it|test|describe|suite|bench)(\.\w+)*\.(only|skip|todo)\b|\bx(it|describe)\(|\bonly: true\b/u,
    files: TEST_CODE,
  },
  {
    remedy: 'Say what the code does and why, here. Numbers and letters of issues mean nothing to a reader.',
    pattern: /\b[\w.-]+\/[\w.-]+#\d+|\bissues? #?(\d+|[A-F])\b|\bADR-\d+/u,
    notFiles: LOCKFILE,
  },
  {
    remedy: 'Say what holds and why, not who asked for it or what the text was before.',
    pattern:
      /\bas (requested|instructed|discussed)\b|\bthe (design|brief|spec) (says|asks|wants)\b|\b(coding|AI) (assistant|agent|session)\b|\bin this (commit|pull request)\b/iu,
    notFiles: LOCKFILE,
  },
];

const VAGUE_NAME = /(^|[-/.])(utils?|helpers?|misc|commons?|managers?)([-/.]|$)/u;
// A data file is called after the library that it describes.
const NAMED_BY_OTHERS = /^packages\/catalogue\/(data|commands)\//u;
const KEBAB_CASE = /^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9-]+)*$/u;
// READMEs and their like, whose names are a convention of their own.
const CAPITALS = /^[A-Z]+(\.md)?$/u;
const BINARY = /\.(png|jpe?g|gif|ico|woff2?|tgz|gz|zip|db|sqlite)$/u;
const LENGTH_LIMITED = /\.(ts|mts|js|mjs|md)$/u;
const GENERATED = /(^|\/)(generated|fixtures)\/|\.api\.md$|(^|\/)CHANGELOG\.md$/u;

export interface TextReport {
  readonly problems: readonly string[];
  readonly files: number;
}

/** Reads the given files (relative, forward slashes) below the root. */
export async function checkText(root: string, files: readonly string[]): Promise<TextReport> {
  const problems: string[] = [];
  let read = 0;
  for (const file of files) {
    problems.push(...nameProblems(file));
    if (BINARY.test(file)) {
      continue;
    }
    const text = await readFile(path.join(root, file), 'utf8').catch(() => null);
    if (text !== null) {
      read += 1;
      problems.push(...textProblems(file, text));
    }
  }
  return { problems, files: read };
}

function nameProblems(file: string): readonly string[] {
  if (FIXTURES.test(file)) {
    return [];
  }
  const problems: string[] = [];
  const vague = NAMED_BY_OTHERS.test(file) ? undefined : VAGUE_NAME.exec(file)?.[2];
  if (vague !== undefined) {
    problems.push(`${file}: "${vague}" says nothing. Name the file or folder after what it holds.`);
  }
  for (const part of file.split('/')) {
    if (!part.startsWith('.') && !part.startsWith('__') && !KEBAB_CASE.test(part) && !CAPITALS.test(part)) {
      problems.push(`${file}: expected kebab-case, found "${part}". Name it in lower case with hyphens.`);
    }
  }
  return problems;
}

function textProblems(file: string, text: string): readonly string[] {
  const lines = text.split('\n');
  const problems: string[] = [];
  if (LENGTH_LIMITED.test(file) && !GENERATED.test(file) && lines.length - 1 > MAX_LINES) {
    problems.push(
      `${file}: ${lines.length - 1} lines, more than ${MAX_LINES}. Split it by what its parts are for.`,
    );
  }
  if (OWN.test(file)) {
    return problems;
  }
  for (const { pattern, remedy, files, notFiles } of TEXT_RULES) {
    if (files?.test(file) === false || notFiles?.test(file) === true) {
      continue;
    }
    lines.forEach((line, index) => {
      const hit = pattern.exec(line)?.[0];
      if (hit !== undefined) {
        problems.push(`${file}:${index + 1}: "${hit}". ${remedy}`);
      }
    });
  }
  return problems;
}

/** Tracked files and new ones that are not ignored. */
async function projectFiles(root: string): Promise<readonly string[]> {
  const args = ['ls-files', '--cached', '--others', '--exclude-standard', '-z'];
  const { stdout } = await promisify(execFile)('git', args, { cwd: root, maxBuffer: 64 * 1024 * 1024 });
  return stdout.split('\0').filter((file) => file !== '');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { problems, files } = await checkText(ROOT, await projectFiles(ROOT));
  reportProblems(
    files === 0 ? ['No file was read. Run it in a git work tree.'] : problems,
    `${files} files read`,
  );
}
