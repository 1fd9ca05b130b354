import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  analyze,
  ConformanceError,
  SourceFileCache,
  type Report,
  type RuleId,
} from '@toolwright/conformance';
import toolwright from '@toolwright/eslint-plugin';
import * as parser from '@typescript-eslint/parser';
import { ESLint, type Linter } from 'eslint';
import { RULE_PAIRS } from './rule-pairs.js';

const PACKAGES = fileURLToPath(new URL('../../packages/', import.meta.url));

const TSCONFIG = JSON.stringify({
  compilerOptions: { target: 'ES2022', module: 'NodeNext', strict: true, noEmit: true, types: [] },
  include: ['src'],
});

/** Source texts by path; null leaves a file out that would otherwise be there. */
export type ProjectFiles = Readonly<Record<string, string | null>>;

export interface LintFinding {
  readonly rule: string;
  readonly file: string;
  readonly line: number;
  readonly endLine: number;
  readonly message: string;
}

/** What both tools say about one project. */
export interface CheckedProject {
  /** Null where the command found nothing to check. */
  readonly report: Report | null;
  readonly withoutTypes: readonly LintFinding[];
  readonly withTypes: readonly LintFinding[];
}

/**
 * Writes projects side by side into a temporary folder, and has the conformance command and both presets of
 * the lint rules look at each of them.
 */
export async function checkProjects(projects: readonly ProjectFiles[]): Promise<readonly CheckedProject[]> {
  const root = mkdtempSync(path.join(tmpdir(), 'toolwright-agree-'));
  try {
    linkPackages(root);
    const folders = projects.map((files, index) => writeProject(path.join(root, String(index)), files));
    const withoutTypes = await lintAll(root, toolwright.configs.recommended);
    const withTypes = await lintAll(root, toolwright.configs.recommendedTypeChecked, {
      projectService: true,
      tsconfigRootDir: root,
    });
    const cache = new SourceFileCache();
    return folders.map((folder) => ({
      report: check(folder, cache),
      withoutTypes: findingsIn(folder, withoutTypes),
      withTypes: findingsIn(folder, withTypes),
    }));
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

function writeProject(folder: string, files: ProjectFiles): string {
  const complete: ProjectFiles = {
    'package.json': '{ "name": "checked", "type": "module" }',
    'tsconfig.json': TSCONFIG,
    ...files,
  };
  for (const [name, text] of Object.entries(complete)) {
    if (text !== null) {
      const file = path.join(folder, name);
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, text);
    }
  }
  return folder;
}

/** Where every project finds them. */
function linkPackages(root: string): void {
  mkdirSync(path.join(root, 'node_modules/@toolwright'), { recursive: true });
  symlinkSync(path.join(PACKAGES, 'sdk'), path.join(root, 'node_modules/@toolwright/sdk'));
  symlinkSync(path.join(PACKAGES, 'sdk/node_modules/zod'), path.join(root, 'node_modules/zod'));
}

async function lintAll(
  root: string,
  preset: Linter.Config,
  parserOptions: Linter.ParserOptions = {},
): Promise<readonly ESLint.LintResult[]> {
  const eslint = new ESLint({
    cwd: root,
    overrideConfigFile: true,
    overrideConfig: [
      { ignores: ['**/node_modules/**'] },
      {
        files: ['*/src/**/*.{ts,tsx,mts,cts}'],
        ...preset,
        languageOptions: { parser, parserOptions },
        // What the code under check says about other rules is none of this test's business.
        linterOptions: { noInlineConfig: true, reportUnusedDisableDirectives: 'off' },
      },
    ],
  });
  return eslint.lintFiles(['*/src/**/*.{ts,tsx,mts,cts}']);
}

function findingsIn(folder: string, results: readonly ESLint.LintResult[]): LintFinding[] {
  return results.flatMap(({ filePath, messages }) => {
    const file = path.relative(folder, filePath).replaceAll('\\', '/');
    if (file.startsWith('..')) {
      return [];
    }
    return messages.flatMap(({ ruleId, line, endLine, message, fatal }) => {
      if (fatal === true) {
        throw new Error(`The lint rules did not see ${file} of a project: ${message}`);
      }
      const rule = ruleId?.replace('@toolwright/', '') ?? '';
      return Object.hasOwn(RULE_PAIRS, rule) ? [{ rule, file, line, endLine: endLine ?? line, message }] : [];
    });
  });
}

function check(folder: string, cache: SourceFileCache): Report | null {
  try {
    return analyze({ cwd: folder, rules: Object.values<RuleId>(RULE_PAIRS), cache });
  } catch (error) {
    if (error instanceof ConformanceError && error.code === 'NOTHING_TO_CHECK') {
      return null;
    }
    throw error;
  }
}
