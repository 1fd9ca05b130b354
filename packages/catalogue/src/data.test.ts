import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';

import { CatalogueError } from './errors.js';
import { loadCatalogue } from './load/load-catalogue.js';
import { jsonFilesIn, readJson } from './load/read-data.js';
import { readLibraryFiles } from './load/library-files.js';
import { parseNames } from './lookup/name-pattern.js';
import type { CommandFile } from './model/command-file.js';
import type { ExtraEntry, LibraryFile, OutcomeRule, TypeData } from './model/library-file.js';

const ajv = new Ajv({
  allErrors: true,
  strict: true,
  strictTypes: false,
  strictRequired: false,
  formats: { uri: isUrl },
});

function isUrl(text: string): boolean {
  return URL.canParse(text);
}

function errorsOf(schema: string, data: unknown): string[] {
  const validate = ajv.getSchema(schema) ?? ajv.compile({ ...(readJson(schema) as object), $id: schema });
  return validate(data) === true
    ? []
    : (validate.errors ?? []).map((error) => `${error.instancePath} ${error.message ?? ''}`);
}

const files = readLibraryFiles();
const names = jsonFilesIn('data');

function rulesOf(type: TypeData): OutcomeRule[] {
  const rest = typeof type.otherwise === 'object' ? [type.otherwise] : [];
  return [...(type.rules ?? []), ...rest];
}

function referencesOf(file: LibraryFile): string[] {
  return [
    ...Object.values(file.submodules ?? {}),
    ...Object.values(file.types).flatMap((type) => [
      ...(type.extends ?? []),
      ...rulesOf(type).flatMap(({ is, returns, constructs }) => [is, returns, constructs]),
    ]),
  ].filter((reference) => reference !== undefined && reference !== 'self') as string[];
}

describe('the library files', () => {
  it.each(names)('%s follows the schema', (name) => {
    expect(errorsOf('catalogue.schema.json', readJson(`data/${name}`))).toEqual([]);
  });

  it('give every rule a source, of its own or of its file', () => {
    const without = files.filter(({ source }) => !URL.canParse(source)).map(({ library }) => library);
    expect(without).toEqual([]);
    expect(files.length).toBeGreaterThan(30);
  });

  it('name every library once', () => {
    const libraries = files.map(({ library }) => library);
    expect(libraries.filter((library, index) => libraries.indexOf(library) !== index)).toEqual([]);
  });

  it('claim every module specifier once, but for the globals', () => {
    const specifiers = files
      .flatMap(({ modules, submodules }) => [...modules, ...Object.keys(submodules ?? {})])
      .filter((specifier) => specifier !== 'globalThis');
    expect(specifiers.filter((specifier, index) => specifiers.indexOf(specifier) !== index)).toEqual([]);
  });

  it('define every global once', () => {
    const globals = files
      .filter(({ modules }) => modules.includes('globalThis'))
      .flatMap(({ types }) =>
        (types['module']?.rules ?? []).flatMap(({ members }) => [...parseNames(members).exact]),
      );
    expect(globals.filter((name, index) => globals.indexOf(name) !== index)).toEqual([]);
  });

  it('name a member of a type once, unless the number of arguments tells its rules apart', () => {
    const repeated = files.flatMap(({ library, types }) =>
      Object.entries(types).flatMap(([type, { rules }]) => {
        const seen = new Set<string>();
        return (rules ?? []).flatMap(({ members, minArguments, maxArguments }) =>
          members.split(' ').flatMap((member) => {
            const key = `${library}#${type}.${member} ${minArguments ?? 0}..${maxArguments ?? ''}`;
            if (seen.has(key)) return [key];
            seen.add(key);
            return [];
          }),
        );
      }),
    );
    expect(repeated).toEqual([]);
  });

  it('refer to types that exist', () => {
    const known = new Set(
      files.flatMap(({ library, types }) => Object.keys(types).map((type) => `${library}#${type}`)),
    );
    const missing = files.flatMap((file) =>
      referencesOf(file)
        .map((reference) => (reference.includes('#') ? reference : `${file.library}#${reference}`))
        .filter((reference) => !known.has(reference)),
    );
    expect(missing).toEqual([]);
  });
});

describe('the command files', () => {
  it.each(jsonFilesIn('commands'))('%s follows the schema', (name) => {
    expect(errorsOf('commands.schema.json', readJson(`commands/${name}`))).toEqual([]);
  });

  it('name every command once', () => {
    const commands = jsonFilesIn('commands')
      .map((name) => readJson(`commands/${name}`) as CommandFile)
      .flatMap((file) => Object.keys(file.commands).flatMap((key) => key.split(' ')));
    expect(commands.filter((command, index) => commands.indexOf(command) !== index)).toEqual([]);
  });
});

describe('the verbs', () => {
  it('follow the schema', () => {
    expect(errorsOf('verbs.schema.json', readJson('verbs.json'))).toEqual([]);
  });
});

describe('the schema of a project’s own entries', () => {
  const entry = { module: 'a', member: 'b', effect: 'none', reason: 'c' };
  it.each([
    [entry, true],
    [{ ...entry, kind: 'read', touches: 'remote', calls: 'last' }, true],
    [{ ...entry, effect: 'remote', kind: 'create' }, true],
    [{ ...entry, kind: 'create' }, false],
    [{ ...entry, effect: 'remote', kind: 'read' }, false],
    [{ ...entry, effect: 'unknown' }, false],
    [{ ...entry, reason: '' }, false],
    [{ ...entry, more: 1 }, false],
    [{ ...entry, touches: 'nowhere' }, false],
    [{ ...entry, module: undefined }, false],
  ])('agrees with loadCatalogue about %j', (candidate, isValid) => {
    const plain = JSON.parse(JSON.stringify(candidate)) as unknown;
    expect(errorsOf('entry.schema.json', plain).length === 0).toBe(isValid);
    const load = () => loadCatalogue([plain as ExtraEntry]);
    if (isValid) expect(load).not.toThrow();
    else expect(load).toThrow(CatalogueError);
  });
});

describe('the schema', () => {
  it('refuses a rule that says nothing', () => {
    const file = {
      ...files[0],
      $schema: '../catalogue.schema.json',
      types: { module: { rules: [{ members: 'a' }] } },
    };
    expect(errorsOf('catalogue.schema.json', file)).not.toEqual([]);
  });

  it('refuses a read that is called an append', () => {
    const rules = [{ members: 'a', effect: 'none', kind: 'append' }];
    const file = { ...files[0], $schema: '../catalogue.schema.json', types: { module: { rules } } };
    expect(errorsOf('catalogue.schema.json', file)).not.toEqual([]);
  });

  it('refuses a file without a source', () => {
    const { source: _, ...file } = { ...files[0] } as Record<string, unknown>;
    expect(errorsOf('catalogue.schema.json', file)).not.toEqual([]);
  });
});
