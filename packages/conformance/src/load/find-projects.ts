import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import type { ts } from '../../engine/typescript.mjs';
import { ConformanceError } from '../model/errors.js';
import { OPTIONS_WITHOUT_CONFIG, withDefaultsOf } from './compiler-defaults.js';
import { foldersUpward, readPackageJson } from './package-json.js';
import { isInstalled, isWithin, relativeTo, toSlashes } from './paths.js';
import { ConfigReader, type ProjectConfig } from './read-config.js';
import { builtFilesBelow, configsBelow, sourceFilesBelow } from './source-files-below.js';
import { typeScriptMajorOf } from './typescript-version.js';
import { workspacePackages } from './workspace-packages.js';

/** What somebody asked to have checked. All paths absolute. */
export interface ProjectRequest {
  readonly cwd: string;
  /** Files and folders; empty means the working directory. */
  readonly paths: readonly string[];
  /** Configurations that were named outright. */
  readonly configs: readonly string[];
}

/** One program to load. */
export interface ProjectPlan {
  /** Absolute folder, with forward slashes. */
  readonly root: string;
  readonly configFile: string | null;
  readonly options: ts.CompilerOptions;
  /** Everything that the program starts from. */
  readonly rootNames: readonly string[];
  /** The part of `rootNames` that is checked; each file belongs to one plan. */
  readonly checked: readonly string[];
}

export interface ProjectSearch {
  readonly plans: readonly ProjectPlan[];
  readonly assumptions: readonly string[];
  readonly notes: readonly string[];
}

/**
 * Finds the programs that hold the requested code: by configuration, by its references, by the
 * workspace's packages, or plain files without any configuration.
 *
 * @throws ConformanceError with code `NO_SUCH_PATH`, `NO_SOURCE` or `BAD_TSCONFIG`.
 */
export function findProjects(request: ProjectRequest): ProjectSearch {
  return new ProjectFinder(request.cwd).find(request);
}

class ProjectFinder {
  readonly #cwd: string;
  readonly #configs: ConfigReader;
  readonly #plans: ProjectPlan[] = [];
  readonly #visited = new Set<string>();
  readonly #owned = new Set<string>();
  readonly #assumptions = new Set<string>();
  readonly #notes = new Set<string>();

  constructor(cwd: string) {
    this.#cwd = cwd;
    this.#configs = new ConfigReader(cwd);
  }

  find(request: ProjectRequest): ProjectSearch {
    const paths = request.paths.map((requested) => ({ requested, kind: this.#kindOf(requested) }));
    if (request.configs.length > 0) {
      const within = request.paths.length === 0 ? null : request.paths.map(toSlashes);
      for (const config of request.configs) {
        const kind = this.#kindOf(config);
        this.#addConfig(kind === 'folder' ? path.join(config, 'tsconfig.json') : config, within);
      }
    } else if (paths.length === 0) {
      this.#addFolder(toSlashes(this.#cwd));
    }
    for (const { requested, kind } of request.configs.length > 0 ? [] : paths) {
      if (kind === 'folder') {
        this.#addFolder(toSlashes(requested));
      } else if (/(^|\/)[jt]sconfig[^/]*\.json$/u.test(toSlashes(requested))) {
        this.#addConfig(requested, null);
      } else {
        this.#addFile(toSlashes(requested));
      }
    }
    if (this.#plans.every((plan) => plan.checked.length === 0)) {
      throw this.#noSource(request);
    }
    return { plans: this.#plans, assumptions: [...this.#assumptions], notes: [...this.#notes] };
  }

  #kindOf(requested: string): 'file' | 'folder' {
    let stat;
    try {
      stat = statSync(requested);
    } catch (cause) {
      const code = (cause as NodeJS.ErrnoException).code ?? 'unknown error';
      const shown = relativeTo(this.#cwd, requested);
      const problem = code === 'ENOENT' ? 'does not exist' : `cannot be read (${code})`;
      throw new ConformanceError(
        'NO_SUCH_PATH',
        `${shown} ${problem}. Name a file or folder of the project, or run without a path in the project's folder.`,
        { cause },
      );
    }
    return stat.isDirectory() ? 'folder' : 'file';
  }

  #addFolder(folder: string): void {
    const packages = workspacePackages(folder);
    const config = configIn(folder);
    if (packages !== null) {
      // Packages first: a file belongs to the configuration nearest to it.
      const [configured, loose] = partition(packages, (found) => configIn(found) !== null);
      for (const found of configured) {
        this.#addFolder(found);
      }
      if (config !== null) {
        this.#addConfig(config, null);
      }
      for (const found of loose) {
        this.#addLooseFolder(found);
      }
      if (config === null) {
        this.#addLooseFolder(folder);
      }
      return;
    }
    if (config !== null) {
      const before = this.#plans.length;
      this.#addConfig(config, null);
      if (this.#plans.length > before || this.#configs.read(config).references.length > 0) {
        return;
      }
    }
    for (const below of configsBelow(folder)) {
      this.#addConfig(below, null);
    }
    this.#addLooseFolder(folder);
  }

  /** A folder without a configuration of its own: one above may list its files, else they are taken as they are. */
  #addLooseFolder(folder: string): void {
    const files = sourceFilesBelow(folder).filter((file) => !this.#owned.has(file));
    const covering = files.length === 0 ? null : this.#configCovering(folder, files);
    if (covering !== null) {
      this.#addConfig(covering.fileName, [folder]);
    }
    const rest = files.filter((file) => !this.#owned.has(file));
    if (rest.length > 0) {
      this.#addPlainFiles(folder, rest);
    }
  }

  #addFile(file: string): void {
    const covering = this.#configCovering(path.dirname(file), [file]);
    if (covering !== null) {
      this.#addConfig(covering.fileName, [file]);
    } else {
      this.#addPlainFiles(toSlashes(path.dirname(file)), [file]);
    }
  }

  /** The nearest configuration upward, or one that it refers to, which lists one of the files. */
  #configCovering(folder: string, files: readonly string[]): ProjectConfig | null {
    const wanted = new Set(files);
    for (const above of foldersUpward(folder)) {
      const own = configIn(above);
      const covering = own === null ? null : this.#coveringFrom(own, wanted, new Set());
      if (covering !== null) {
        return covering;
      }
      if (existsSync(path.join(above, '.git'))) {
        return null;
      }
    }
    return null;
  }

  #coveringFrom(fileName: string, wanted: ReadonlySet<string>, seen: Set<string>): ProjectConfig | null {
    if (seen.has(fileName) || !existsSync(fileName)) {
      return null;
    }
    seen.add(fileName);
    const config = this.#configs.read(fileName);
    for (const reference of config.references) {
      const found = this.#coveringFrom(reference, wanted, seen);
      if (found !== null) {
        return found;
      }
    }
    return config.fileNames.some((listed) => wanted.has(listed)) ? config : null;
  }

  /** @param within - only files below these are checked; null for all */
  #addConfig(fileName: string, within: readonly string[] | null): void {
    const key = toSlashes(path.resolve(fileName));
    const visit = within === null ? key : `${key}\0${within.join('\0')}`;
    if (this.#visited.has(visit) || this.#visited.has(key)) {
      return;
    }
    this.#visited.add(visit);
    const config = this.#configs.read(key);
    config.assumptions.forEach((assumption) => this.#assumptions.add(assumption));
    const root = toSlashes(path.dirname(key));
    for (const reference of config.references) {
      // A reference out of the folder is another package, read as a dependency. A solution has nothing else.
      if (config.fileNames.length === 0 || isWithin(root, reference)) {
        this.#addReference(config, reference, within);
      }
    }
    const own = config.fileNames.filter((file) => !this.#owned.has(file));
    const checked = own.filter(
      (file) => isCode(file) && (within === null || within.some((folder) => isWithin(folder, file))),
    );
    if (checked.length > 0) {
      // A root configuration that lists nothing takes in every package below it; those have their own.
      const rootNames = config.listsFiles ? config.fileNames : own;
      this.#addPlan({ root, configFile: key, options: config.options, rootNames, checked });
    }
  }

  #addReference(config: ProjectConfig, reference: string, within: readonly string[] | null): void {
    if (existsSync(reference)) {
      this.#addConfig(reference, within);
      return;
    }
    this.#notes.add(
      `${relativeTo(this.#cwd, config.fileName)} refers to ${relativeTo(this.#cwd, reference)}, which does not exist; it was left out.`,
    );
  }

  #addPlainFiles(folder: string, files: readonly string[]): void {
    const packageFolder = [...foldersUpward(folder)].find((above) => readPackageJson(above) !== null);
    const root = toSlashes(packageFolder ?? folder);
    const checked = files.filter((file) => !this.#owned.has(file));
    const options = withDefaultsOf(typeScriptMajorOf(folder), OPTIONS_WITHOUT_CONFIG);
    if (files.some((file) => /\.[cm]?tsx?$/u.test(file))) {
      this.#notes.add(
        `No tsconfig.json covers ${relativeTo(this.#cwd, folder)}: its TypeScript files were read with default options.`,
      );
    }
    this.#addPlan({
      root: isWithin(root, folder) ? folder : root,
      configFile: null,
      options,
      rootNames: files,
      checked,
    });
  }

  #addPlan(plan: ProjectPlan): void {
    plan.checked.forEach((file) => this.#owned.add(file));
    this.#plans.push(plan);
  }

  #noSource(request: ProjectRequest): ConformanceError {
    const asked = [...request.configs, ...request.paths];
    const shown =
      asked.length === 0
        ? 'the working directory'
        : asked.map((one) => relativeTo(this.#cwd, one)).join(', ');
    const built = request.configs.length > 0 ? [] : builtFilesBelow(asked[0] ?? this.#cwd);
    const hint =
      built.length > 0
        ? ` Only build output was found (${String(built.length)} files, for example ${relativeTo(this.#cwd, built[0] ?? '')}); name it outright to check it.`
        : " Name the project's folder, or its tsconfig.json with -p.";
    return new ConformanceError(
      'NO_SOURCE',
      `No TypeScript or JavaScript source to check in ${shown}. Looked for a tsconfig.json or jsconfig.json that lists ` +
        `files, its references, the packages of a workspace, and plain source files.${hint}`,
    );
  }
}

function isCode(file: string): boolean {
  return !isInstalled(file) && !/\.d(\.[^.]+)?\.[cm]?ts$/u.test(file) && !file.endsWith('.json');
}

function configIn(folder: string): string | null {
  const found = ['tsconfig.json', 'jsconfig.json']
    .map((name) => path.join(folder, name))
    .find((name) => existsSync(name));
  return found === undefined ? null : toSlashes(found);
}

function partition<T>(items: readonly T[], test: (item: T) => boolean): [T[], T[]] {
  const yes: T[] = [];
  const no: T[] = [];
  for (const item of items) {
    (test(item) ? yes : no).push(item);
  }
  return [yes, no];
}
