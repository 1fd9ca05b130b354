import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ToolDiscovery } from '../discover/discover-tools.js';
import type { DiscoveredTool, DiscoveryOptions, ToolAdapter } from '../discover/discovered-tool.js';
import { loadProjects } from '../load/load-projects.js';
import { SourceFileCache } from '../load/source-file-cache.js';
import { withFixture } from './check-fixture.js';

/**
 * A case of an adapter's `fixtures/*.md`: a heading, its files as code blocks (`ts src/tools.ts`), and one line
 * per tool that is there to be found, in order:
 * "- `name`: effect, hint or why, code at `file:line`".
 */
export interface AdapterCase {
  readonly title: string;
  readonly files: Readonly<Record<string, string | null>>;
  readonly registrars: readonly string[];
  readonly expected: readonly string[];
}

const cache = new SourceFileCache();

/** The cases of an adapter, by the fixtures folder beside its test. */
export function readAdapterCases(folder: URL): readonly AdapterCase[] {
  return readdirSync(fileURLToPath(folder))
    .filter((name) => name.endsWith('.md'))
    .sort()
    .flatMap((name) =>
      readFileSync(new URL(name, folder), 'utf8')
        .split(/^## /mu)
        .slice(1)
        .map((section) => parseCase(section)),
    );
}

/** What an adapter finds in a case, one line per tool. */
export function foundIn(adapter: ToolAdapter, given: AdapterCase): readonly string[] {
  return discoverIn(adapter, given.files, { registrars: given.registrars }).map((tool) => describe(tool));
}

/** The tools of one adapter in source texts by path; where they lie, relative to the fixture. */
export function discoverIn(
  adapter: ToolAdapter,
  files: Readonly<Record<string, string | null>>,
  options: DiscoveryOptions = { registrars: [] },
): readonly (DiscoveredTool & { readonly codeAt: string })[] {
  return withFixture(files, (cwd) => {
    const { projects } = loadProjects({ cwd, paths: [], configs: [], testFileGlobs: [], cache });
    const discovery = new ToolDiscovery([adapter], options);
    return [...projects].flatMap((project) =>
      discovery.discover(project).map((tool) => {
        const code = tool.execute === null ? null : project.locate(tool.execute);
        return { ...tool, codeAt: code === null ? 'none' : `${code.file}:${String(code.line)}` };
      }),
    );
  });
}

function describe({ name, effect, codeAt }: DiscoveredTool & { readonly codeAt: string }): string {
  const claimed = effect.value ?? effect.kind;
  const said = name.value ?? `(${name.why})`;
  return `- \`${said}\`: ${claimed}, code at \`${codeAt}\``;
}

function parseCase(section: string): AdapterCase {
  const title = section.slice(0, section.indexOf('\n')).trim();
  const files: Record<string, string | null> = {};
  for (const [, path = '', code = ''] of section.matchAll(/^```\w* (\S+)\n(.*?)^```$/gmsu)) {
    files[path] = code;
  }
  for (const [, path = ''] of section.matchAll(/^- without `([^`]+)`$/gmu)) {
    files[path] = null;
  }
  const registrars = [...section.matchAll(/^- registrar `([^`]+)`$/gmu)].map(([, name = '']) => name);
  const expected = section.split('\n').filter((line) => /^- `.*`: .*code at/u.test(line));
  return { title, files, registrars, expected };
}
