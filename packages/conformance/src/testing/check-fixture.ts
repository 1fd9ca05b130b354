import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { prepareSqlParser } from '@toolwright/catalogue';
import { analyze, type AnalyzeRequest } from '../analyze.js';
import { SourceFileCache } from '../load/source-file-cache.js';
import type { Report } from '../model/report.js';
import type { RuleId, RuleVerdict } from '../model/verdict.js';

const PACKAGES = fileURLToPath(new URL('../../../', import.meta.url));

await prepareSqlParser();

// The standard library, zod and the SDK are parsed once for all fixtures of a test file.
const CACHE = new SourceFileCache();

const TSCONFIG = JSON.stringify({
  compilerOptions: { target: 'ES2022', module: 'NodeNext', strict: true, types: [] },
  include: ['src'],
});

/** Source texts by path; `src/` is where the default tsconfig.json looks. */
export type Fixture = Readonly<Record<string, string>>;

/**
 * Writes a fixture into a temporary folder in which `@toolwright/sdk` and `zod` resolve, and calls
 * `use` with it. A package.json and a tsconfig.json are added where the fixture has none (give
 * `null` to leave one out).
 */
export function withFixture<T>(
  files: Readonly<Record<string, string | null>>,
  use: (folder: string) => T,
): T {
  const folder = mkdtempSync(path.join(tmpdir(), 'toolwright-fixture-'));
  const complete = {
    'package.json': '{ "name": "fixture", "type": "module" }',
    'tsconfig.json': TSCONFIG,
    ...files,
  };
  try {
    for (const [name, text] of Object.entries(complete)) {
      if (text !== null) {
        const fileName = path.join(folder, name);
        mkdirSync(path.dirname(fileName), { recursive: true });
        writeFileSync(fileName, text);
      }
    }
    linkPackages(folder);
    const result = use(folder);
    if (result instanceof Promise) {
      return result.finally(() => remove(folder)) as T;
    }
    remove(folder);
    return result;
  } catch (error) {
    remove(folder);
    throw error;
  }
}

/** Checks a fixture with the real pipeline. One text alone is `src/tools.ts`. */
export function checkFixture(
  source: string | Readonly<Record<string, string | null>>,
  request: Omit<Partial<AnalyzeRequest>, 'cwd'> = {},
): Report {
  const files = typeof source === 'string' ? { 'src/tools.ts': source } : source;
  return withFixture(files, (cwd) =>
    analyze({
      cache: CACHE,
      ...request,
      cwd,
      paths: (request.paths ?? []).map((one) => path.join(cwd, one)),
      configs: (request.configs ?? []).map((one) => path.join(cwd, one)),
    }),
  );
}

/** The verdicts of one rule, in order; for one tool when its name is given. */
export function verdictsOf(report: Report, rule: RuleId, tool?: string): readonly RuleVerdict[] {
  const names = new Map(report.tools.map(({ id, name }) => [id, name]));
  return report.verdicts.filter(
    (one) => one.rule === rule && (tool === undefined || names.get(one.toolId ?? '') === tool),
  );
}

function linkPackages(folder: string): void {
  mkdirSync(path.join(folder, 'node_modules/@toolwright'), { recursive: true });
  const links: readonly (readonly [string, string])[] = [
    ['node_modules/@toolwright/sdk', 'sdk'],
    ['node_modules/zod', 'sdk/node_modules/zod'],
  ];
  for (const [name, target] of links) {
    try {
      symlinkSync(path.join(PACKAGES, target), path.join(folder, name));
    } catch (error) {
      // A fixture may bring a package of its own.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') {
        throw error;
      }
    }
  }
}

function remove(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}
