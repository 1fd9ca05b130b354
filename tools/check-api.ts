/**
 * The public surface of every entry point, as a reviewed file: `packages/<name>/api/<entry>.api.md`.
 * Without arguments it compares; with `--update` it writes. It reads the built declarations.
 */
import { mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Extractor, ExtractorConfig, ExtractorLogLevel, type IConfigFile } from '@microsoft/api-extractor';
import { reportProblems } from './report-problems.js';
import { ROOT, publishedPackages, type WorkspacePackage } from './workspace.js';

const SCRATCH = path.join(ROOT, 'node_modules/.cache/api');

// As a user's compiler resolves: built declarations, never the sources behind the source condition.
const COMPILER = {
  compilerOptions: {
    target: 'ES2022',
    lib: ['ES2023'],
    module: 'NodeNext',
    moduleResolution: 'NodeNext',
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: true,
    types: ['node'],
  },
};

interface EntryPoint {
  readonly of: WorkspacePackage;
  /** File name of the report. */
  readonly report: string;
  /** Absolute path of the built declarations. */
  readonly declarations: string;
}

const isUpdate = process.argv.includes('--update');
const problems: string[] = [];
let compared = 0;

await rm(SCRATCH, { recursive: true, force: true });
await mkdir(SCRATCH, { recursive: true });
for (const workspacePackage of await publishedPackages()) {
  const entries = entryPoints(workspacePackage);
  const folder = path.join(workspacePackage.folder, 'api');
  await mkdir(folder, { recursive: true });
  for (const entry of entries) {
    await compare(entry, path.join(folder, entry.report));
    compared += 1;
  }
  await dropStale(folder, new Set(entries.map(({ report }) => report)));
}
reportProblems(problems, `${compared} API reports are as reviewed`);

function entryPoints(of: WorkspacePackage): readonly EntryPoint[] {
  return Object.entries(of.manifest.exports).flatMap(([subpath, conditions]) => {
    const types = typeof conditions === 'string' ? undefined : conditions['types'];
    const suffix = subpath === '.' ? '' : `-${subpath.slice(2).replaceAll('/', '-')}`;
    return types === undefined
      ? []
      : [
          {
            of,
            report: `${path.basename(of.folder)}${suffix}.api.md`,
            declarations: path.join(of.folder, types),
          },
        ];
  });
}

async function compare(entry: EntryPoint, reviewed: string): Promise<void> {
  const name = path.relative(ROOT, reviewed).replaceAll('\\', '/');
  const now = await extract(entry);
  const before = await readFile(reviewed, 'utf8').catch(() => null);
  if (now === null || now === before) {
    return;
  }
  if (isUpdate) {
    await writeFile(reviewed, now);
    console.log(`wrote ${name}`);
    return;
  }
  const difference = firstDifference(before ?? '', now);
  problems.push(
    `${name}: the public API of ${entry.of.manifest.name} is not the reviewed one. ${difference} ` +
      'Run `pnpm api:update`, review the change, and add a changeset with `pnpm changeset`.',
  );
}

/** The report's text, or null (with a problem noted) when the declarations cannot be read. */
async function extract(entry: EntryPoint): Promise<string | null> {
  const messages: string[] = [];
  const config: IConfigFile = {
    projectFolder: entry.of.folder,
    mainEntryPointFilePath: entry.declarations,
    newlineKind: 'lf',
    compiler: { overrideTsconfig: COMPILER, skipLibCheck: true },
    apiReport: {
      enabled: true,
      reportFileName: entry.report,
      reportFolder: SCRATCH,
      reportTempFolder: path.join(SCRATCH, 'temp'),
    },
    docModel: { enabled: false },
    dtsRollup: { enabled: false },
    tsdocMetadata: { enabled: false },
    messages: {
      compilerMessageReporting: { default: { logLevel: ExtractorLogLevel.Error } },
      extractorMessageReporting: {
        default: { logLevel: ExtractorLogLevel.Error },
        'ae-missing-release-tag': { logLevel: ExtractorLogLevel.None },
        'ae-undocumented': { logLevel: ExtractorLogLevel.None },
        // Said about declarations of other packages, which are read along with ours.
        'ae-wrong-input-file-type': { logLevel: ExtractorLogLevel.None },
        'ae-unresolved-link': { logLevel: ExtractorLogLevel.None },
        // A type that the surface mentions and does not export is part of the review.
        'ae-forgotten-export': { logLevel: ExtractorLogLevel.Warning, addToApiReportFile: true },
      },
      tsdocMessageReporting: { default: { logLevel: ExtractorLogLevel.None } },
    },
  };
  try {
    Extractor.invoke(
      ExtractorConfig.prepare({
        configObject: config,
        configObjectFullPath: undefined,
        packageJsonFullPath: path.join(entry.of.folder, 'package.json'),
      }),
      {
        localBuild: true,
        messageCallback: (message) => {
          if (message.logLevel === ExtractorLogLevel.Error) {
            messages.push(message.formatMessageWithLocation(ROOT));
          }
          message.handled = true;
        },
      },
    );
  } catch (error) {
    messages.push(error instanceof Error ? error.message : String(error));
  }
  if (messages.length > 0) {
    problems.push(
      ...messages.map((message) => `${entry.of.path}: cannot extract ${entry.report}: ${message}`),
    );
    return null;
  }
  return readFile(path.join(SCRATCH, entry.report), 'utf8');
}

async function dropStale(folder: string, reports: ReadonlySet<string>): Promise<void> {
  for (const file of await readdir(folder)) {
    if (reports.has(file)) {
      continue;
    }
    if (isUpdate) {
      await rm(path.join(folder, file));
    } else {
      problems.push(
        `${path.relative(ROOT, path.join(folder, file))}: no entry point has this report any more. Run \`pnpm api:update\`.`,
      );
    }
  }
}

function firstDifference(before: string, now: string): string {
  const [old, current] = [before.split('\n'), now.split('\n')];
  const index = current.findIndex((line, at) => line !== old[at]);
  const at = index === -1 ? current.length : index;
  return `Line ${at + 1} was \`${old[at] ?? ''}\` and is \`${current[at] ?? ''}\`.`;
}
