import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Effect, ManifestEntry, ManifestFact, ToolFacts } from '../model/fact-base.js';
import type { ManifestText } from '../model/report.js';

export const MANIFEST_FILE = 'toolwright.effects.json';

const SCHEMA_VERSION = 1;
const EFFECTS: readonly unknown[] = ['read_only', 'idempotent_write', 'non_idempotent_write', null];

/** The folders of the plugins that have tools, relative to the working directory, sorted. */
export function pluginsOf(tools: readonly ToolFacts[]): readonly string[] {
  return [...new Set(tools.map(({ plugin }) => plugin))].sort();
}

/** Reads a plugin's manifest from the disk. */
export function readManifest(cwd: string, plugin: string, isRequired: boolean): ManifestFact {
  const file = fileOf(plugin);
  const fileName = path.resolve(cwd, file);
  if (!existsSync(fileName)) {
    return { plugin, file, entries: null, problem: '', isRequired };
  }
  return { plugin, isRequired, ...parseManifest(file, readFileSync(fileName, 'utf8')) };
}

/** The manifest that fits a plugin's tools as the code declares them. */
export function manifestFor(plugin: string, tools: readonly ToolFacts[]): ManifestText {
  const effects = new Map<string, Effect | null>();
  for (const { name, effect } of tools.filter((tool) => tool.plugin === plugin)) {
    // An effect that is no literal pins nothing; the rule on constant effects says so.
    if (name.value !== null && (effect.value !== null || effect.kind === 'absent')) {
      effects.set(name.value, effect.value);
    }
  }
  const sorted = Object.fromEntries([...effects].sort(([a], [b]) => (a < b ? -1 : 1)));
  const document = { schemaVersion: SCHEMA_VERSION, tools: sorted };
  return {
    file: fileOf(plugin),
    text: `${JSON.stringify(document, null, 2)}\n`,
  };
}

/** The same as a fact, for the run that writes it. */
export function manifestFact(plugin: string, { file, text }: ManifestText): ManifestFact {
  return { plugin, isRequired: false, ...parseManifest(file, text) };
}

function fileOf(plugin: string): string {
  return plugin === '.' ? MANIFEST_FILE : `${plugin}/${MANIFEST_FILE}`;
}

function parseManifest(file: string, text: string): Pick<ManifestFact, 'file' | 'entries' | 'problem'> {
  let document: unknown;
  try {
    document = JSON.parse(text.replace(/^\uFEFF/u, ''));
  } catch (error) {
    return {
      file,
      entries: null,
      problem: `it is no valid JSON: ${error instanceof Error ? error.message : String(error)}`,
    };
  }
  const { schemaVersion, tools } = recordOf(document);
  if (schemaVersion !== SCHEMA_VERSION) {
    return { file, entries: null, problem: `its schemaVersion is not ${String(SCHEMA_VERSION)}` };
  }
  const entries: ManifestEntry[] = [];
  for (const [name, effect] of Object.entries(recordOf(tools))) {
    if (!EFFECTS.includes(effect)) {
      return { file, entries: null, problem: `the effect of ${JSON.stringify(name)} is none` };
    }
    entries.push({ name, effect: effect as Effect | null, location: locateKey(file, text, name) });
  }
  return { file, entries, problem: '' };
}

function locateKey(file: string, text: string, name: string): ManifestEntry['location'] {
  const at = text.indexOf(`${JSON.stringify(name)}:`);
  const before = at < 0 ? '' : text.slice(0, at);
  return {
    file,
    line: before.split('\n').length,
    column: before.length - before.lastIndexOf('\n'),
  };
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};
}
