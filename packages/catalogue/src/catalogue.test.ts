import { describe, expect, it } from 'vitest';

import { abstractOf, constant, UNKNOWN, type AbstractValue } from './model/abstract-value.js';
import { loadCatalogue } from './load/load-catalogue.js';

const catalogue = loadCatalogue();

describe('look-up', () => {
  it.each([
    ['node:fs', ['writeFile']],
    ['fs', ['writeFile']],
    ['fs', ['default', 'writeFile']],
    ['fs', ['promises', 'writeFile']],
    ['fs/promises', ['writeFile']],
    ['node:fs/promises', ['default', 'writeFile']],
    ['fs-extra', ['default', 'writeFile']],
    ['graceful-fs', ['writeFile']],
  ])('finds the write when it is imported from %s as %s', (module, path) => {
    const found = catalogue.classifyAt({ module, path }, { arguments: [constant('a'), constant('b')] });
    expect(found).toMatchObject({
      effect: 'local',
      kind: 'set',
      certainty: 'always',
      converges: 'yes',
      isAssumed: false,
    });
    expect(found?.source).toMatch(/^https:/);
  });

  it('knows nothing of a module or a member that is in no file', () => {
    expect(catalogue.lookup({ module: 'no-such-library', path: ['x'] })).toBeNull();
    expect(catalogue.lookup({ module: 'node:fs', path: ['noSuchFunction'] })).toBeNull();
    expect(catalogue.lookup({ module: 'node:fs', path: ['constructor'] })).toBeNull();
    expect(catalogue.lookup({ module: '__proto__', path: ['toString'] })).toBeNull();
  });

  it('follows what a call gives', () => {
    const value = catalogue.valueAt({ module: 'node:fs/promises', path: ['open', '()', 'appendFile'] });
    expect(value && catalogue.classify(value, { arguments: [] })).toMatchObject({
      effect: 'local',
      kind: 'append',
    });
  });

  it('finds the methods of a declared type', () => {
    const found = catalogue.classifyAt(
      { module: 'node:fs/promises', instanceOf: 'FileHandle', path: ['write'] },
      { arguments: [] },
    );
    expect(found?.effect).toBe('local');
  });

  it('finds globals and the methods of builtin types', () => {
    expect(
      catalogue.classifyAt({ module: 'globalThis', path: ['JSON', 'parse'] }, { arguments: [] })?.effect,
    ).toBe('none');
    expect(
      catalogue.classifyAt({ module: 'globalThis', instanceOf: 'Array', path: ['map'] }, { arguments: [] })
        ?.effect,
    ).toBe('none');
    expect(
      catalogue.classifyAt({ module: 'globalThis', instanceOf: 'Map', path: ['set'] }, { arguments: [] })
        ?.effect,
    ).toBe('session');
    expect(
      catalogue.classifyAt({ module: 'globalThis', path: ['console', 'error'] }, { arguments: [] }),
    ).toMatchObject({
      effect: 'none',
      kind: 'log',
    });
  });

  it.each([
    ['Object', ['keys', '()', 'filter', '()', 'map', '()', 'join', '()', 'trim']],
    ['JSON', ['stringify', '()', 'slice']],
    ['Object', ['prototype', 'hasOwnProperty', 'call']],
    ['Array', ['prototype', 'slice', 'call']],
    ['Promise', ['all', '()', 'map']],
    ['Promise', ['all', '()', 'then']],
    ['process', ['argv', 'slice', '()', 'includes']],
    ['crypto', ['randomUUID', '()', 'slice']],
  ])('follows what builtins give: %s %j', (name, path) => {
    expect(
      catalogue.classifyAt({ module: 'globalThis', path: [name, ...path] }, { arguments: [] }),
    ).toMatchObject({
      effect: 'none',
      confidence: 'proven',
    });
  });

  it('follows the text of a file', () => {
    for (const member of ['split', 'toString', 'trim', 'subarray']) {
      expect(
        catalogue.lookup({ module: 'node:fs', path: ['readFileSync', '()', member] }),
        member,
      ).not.toBeNull();
    }
    expect(catalogue.lookup({ module: 'node:fs', path: ['statSync', '()', 'isFile'] })).not.toBeNull();
  });

  it('asks no arguments of a call through `call` when they would decide', () => {
    expect(catalogue.lookup({ module: 'globalThis', path: ['fetch', 'call'] })).toBeNull();
    expect(
      catalogue.classifyAt({ module: 'fs', path: ['unlinkSync', 'call'] }, { arguments: [] })?.effect,
    ).toBe('local');
  });

  it('takes signal 0 for a question', () => {
    const kill = (...args: unknown[]) =>
      catalogue.classifyAt(
        { module: 'globalThis', path: ['process', 'kill'] },
        { arguments: args.map(abstractOf) },
      );
    expect(kill(1, 0)).toMatchObject({ effect: 'none' });
    expect(kill(1, 'SIGTERM')).toMatchObject({ effect: 'local', kind: 'delete' });
    expect(kill(1)).toMatchObject({ effect: 'local' });
  });

  it('says which arguments a call runs, and which run later', () => {
    const map = catalogue.lookup({ module: 'globalThis', instanceOf: 'Array', path: ['map'] });
    expect(map && catalogue.callbacksOf(map, 2)).toEqual({ during: [0], later: [] });
    const readFile = catalogue.lookup({ module: 'fs', path: ['readFile'] });
    expect(readFile && catalogue.callbacksOf(readFile, 3)).toEqual({ during: [2], later: [] });
    const on = catalogue.lookup({ module: 'events', path: ['EventEmitter', 'new()', 'on'] });
    expect(on && catalogue.callbacksOf(on, 2)).toEqual({ during: [], later: [0, 1] });
  });
});

describe('fetch', () => {
  const fetchWith = (...args: unknown[]) =>
    catalogue.classifyAt(
      { module: 'globalThis', path: ['fetch'] },
      { arguments: args.map((arg) => (isAbstract(arg) ? arg : abstractOf(arg))) },
    );

  it.each([
    [['https://a.example/x'], 'none', 'always', 'yes'],
    [['https://a.example/x', { method: 'get' }], 'none', 'always', 'yes'],
    [['https://a.example/items', { method: 'POST', body: '{}' }], 'remote', 'always', 'no'],
    [['https://a.example/items/1', { method: 'PUT' }], 'remote', 'always', 'yes'],
    [['https://a.example/items/1', { method: 'DELETE' }], 'remote', 'always', 'yes'],
    [['https://a.example/items/1', { method: 'PATCH' }], 'remote', 'always', 'unknown'],
    [['https://a.example/search', { method: 'POST' }], 'none', 'always', 'yes'],
    [['https://a.example/projects/1/pause', { method: 'POST' }], 'remote', 'always', 'yes'],
  ])('%j', (args, effect, certainty, converges) => {
    expect(fetchWith(...args)).toMatchObject({ effect, certainty, converges });
  });

  it('is conditional when the method is one of several', () => {
    const method: AbstractValue = { kind: 'one-of', values: [constant('GET'), constant('POST')] };
    const init: AbstractValue = { kind: 'object', properties: { method }, isOpen: false };
    expect(fetchWith('https://a.example/items', init)).toMatchObject({
      effect: 'remote',
      certainty: 'conditional',
      condition: { argument: '1.method', writesWhen: ['POST'], readsWhen: ['GET'] },
    });
  });

  it('is undecided and names the tool argument when the method comes from it', () => {
    const init: AbstractValue = {
      kind: 'object',
      properties: { method: { kind: 'input', path: 'verb' } },
      isOpen: false,
    };
    const found = fetchWith('https://a.example/items', init);
    expect(found).toMatchObject({ effect: 'remote', certainty: 'undecided', condition: { input: 'verb' } });
    expect(found?.reason).toBe('can write when `verb` is POST, PUT, PATCH or DELETE');
  });

  it('is undecided when the options are not known', () => {
    expect(fetchWith('https://a.example/items', UNKNOWN)?.certainty).toBe('undecided');
  });

  it('is undecided when something unknown is spread into the options', () => {
    expect(
      fetchWith('https://a.example/items', {
        kind: 'object',
        properties: {},
        isOpen: true,
      } satisfies AbstractValue)?.certainty,
    ).toBe('undecided');
  });

  it('follows a Request', () => {
    const request: AbstractValue = {
      kind: 'made',
      module: 'globalThis',
      path: ['Request'],
      arguments: [constant('https://a.example/items'), abstractOf({ method: 'DELETE' })],
    };
    expect(fetchWith(request)).toMatchObject({ effect: 'remote', kind: 'delete' });
  });

  it('does what the GraphQL document in the body does', () => {
    const query = (text: string) => fetchWith('https://a.example/graphql', bodyOf({ query: text }));
    expect(query('query A { viewer { id } }')).toMatchObject({ effect: 'none', confidence: 'by-name' });
    expect(query('mutation A { createIssue(input: {}) { id } }')).toMatchObject({
      effect: 'remote',
      kind: 'create',
      converges: 'no',
    });
  });

  it('reads the procedure in a JSON-RPC body by its name', () => {
    const call = (command: string) => fetchWith('https://a.example/rpc', bodyOf([{ command }]));
    expect(call('ReviewService.findReviewById')).toMatchObject({ effect: 'none', confidence: 'by-name' });
    expect(call('ReviewService.createReview')).toMatchObject({
      effect: 'remote',
      kind: 'create',
      confidence: 'by-name',
    });
  });

  it('converges when a PATCH sets fields, and not certainly when it changes them', () => {
    const patch = (body: unknown) =>
      fetchWith('https://a.example/items/1', {
        ...bodyOf(body),
        properties: { ...bodyOf(body).properties, method: constant('PATCH') },
      });
    expect(patch({ name: 'x' })?.converges).toBe('yes');
    expect(patch({ $inc: { n: 1 } })?.converges).toBe('unknown');
  });

  it('converges under an idempotency key that stays, not under a random one', () => {
    const post = (key: AbstractValue) =>
      fetchWith('https://a.example/items', {
        kind: 'object',
        properties: {
          method: constant('POST'),
          headers: { kind: 'object', properties: { 'Idempotency-Key': key }, isOpen: false },
        },
        isOpen: false,
      } satisfies AbstractValue);
    expect(post({ kind: 'input', path: 'id' })?.converges).toBe('yes');
    expect(
      post({ kind: 'made', module: 'node:crypto', path: ['randomUUID'], arguments: [] })?.converges,
    ).toBe('no');
  });
});

describe('files', () => {
  it.each([
    ['open', ['a.txt'], 'none'],
    ['open', ['a.txt', 'r'], 'none'],
    ['open', ['a.txt', 'w'], 'local'],
    ['open', ['a.txt', 'a+'], 'local'],
    ['open', ['a.txt', 2], 'local'],
    ['open', ['a.txt', 0], 'none'],
    ['writeFile', ['/tmp/x', ''], 'none'],
    ['writeFile', ['/tmp/../etc/x', ''], 'local'],
    ['writeFile', ['/dev/null', ''], 'none'],
    ['rename', ['/tmp/x', '/srv/x'], 'local'],
    ['rename', ['/tmp/x', '/tmp/y'], 'none'],
    ['copyFile', ['/srv/x', '/tmp/x'], 'none'],
    ['createWriteStream', ['a.txt', { flags: 'r+' }], 'local'],
    ['readFileSync', ['a.txt'], 'none'],
  ])('%s of %j', (name, args, effect) => {
    expect(
      catalogue.classifyAt({ module: 'fs', path: [name] }, { arguments: args.map(abstractOf) })?.effect,
    ).toBe(effect);
  });

  it('appends when the flag of writeFile says so', () => {
    const found = catalogue.classifyAt(
      { module: 'fs', path: ['writeFileSync'] },
      { arguments: [constant('a'), constant('b'), abstractOf({ flag: 'a' })] },
    );
    expect(found).toMatchObject({ kind: 'append', converges: 'no' });
  });

  it('takes a path joined under the temporary folder for temporary', () => {
    const path: AbstractValue = {
      kind: 'made',
      module: 'node:path',
      path: ['join'],
      arguments: [{ kind: 'temporary' }, UNKNOWN],
    };
    expect(catalogue.classifyAt({ module: 'fs', path: ['writeFile'] }, { arguments: [path] })).toMatchObject({
      effect: 'none',
      kind: 'temporary',
    });
  });

  it('leaves open whether a path joined with an argument stays under the temporary folder', () => {
    const name: AbstractValue = {
      kind: 'template',
      parts: [{ kind: 'input', path: 'name' }, constant('.txt')],
    };
    const path: AbstractValue = {
      kind: 'made',
      module: 'node:path',
      path: ['join'],
      arguments: [{ kind: 'temporary' }, name],
    };
    expect(catalogue.classifyAt({ module: 'fs', path: ['writeFile'] }, { arguments: [path] })).toMatchObject({
      effect: 'local',
      certainty: 'undecided',
      condition: { input: 'name' },
    });
  });
});

describe('temporary paths', () => {
  const made = (module: string, path: string[], ...args: AbstractValue[]): AbstractValue => ({
    kind: 'made',
    module,
    path,
    arguments: args,
  });
  const tmpdir = made('os', ['tmpdir']);

  it.each([
    ['os.tmpdir()', tmpdir, true],
    ['join of it', made('node:path', ['default', 'join'], tmpdir, UNKNOWN), true],
    [
      'join of it and an argument',
      made('node:path', ['join'], tmpdir, { kind: 'input', path: 'name' }),
      false,
    ],
    [
      'join of it and what derives from one',
      made('node:path', ['join'], tmpdir, { kind: 'input', path: '' }),
      true,
    ],
    [
      'mkdtemp of it',
      made('node:fs/promises', ['mkdtemp'], made('path', ['join'], tmpdir, constant('x-'))),
      true,
    ],
    [
      'a template on it',
      { kind: 'template', parts: [tmpdir, constant('/a'), UNKNOWN] } satisfies AbstractValue,
      true,
    ],
    ['what a temporary-file library gives', made('tmp', ['dirSync']), true],
    ['a way out of it', made('node:path', ['join'], tmpdir, constant('../../etc')), false],
    ['mkdtemp elsewhere', made('node:fs', ['mkdtempSync'], constant('/srv/x-')), false],
    ['an unknown path', UNKNOWN, false],
    [
      'one of two, one elsewhere',
      { kind: 'one-of', values: [tmpdir, constant('/srv')] } satisfies AbstractValue,
      false,
    ],
    ['a constant', constant('/tmp/a/b'), true],
    ['a folder that begins alike', constant('/tmpfiles/a'), false],
  ] as const)('%s: %#', (_name, path, expected) => {
    expect(catalogue.isTemporaryPath(path)).toBe(expected);
  });
});

describe('module specifiers', () => {
  it('give what the package gives when a path into it is in no file', () => {
    expect(catalogue.lookup({ module: 'mysql2/some/path.js', path: ['createPool'] })).not.toBeNull();
    expect(catalogue.lookup({ module: '@notionhq/client/build/src/x.js', path: ['Client'] })).not.toBeNull();
  });

  it('that are relative are never taken for a package', () => {
    expect(catalogue.moduleValue('./pg')).toBeNull();
    expect(catalogue.moduleValue('../pg/index.js')).toBeNull();
  });

  it('match the closest pattern', () => {
    const telemetry = catalogue.classifyAt(
      { module: '@google-cloud/opentelemetry-cloud-trace-exporter', path: ['TraceExporter'] },
      { arguments: [] },
    );
    expect(telemetry?.kind).toBe('telemetry');
  });
});

describe('programs', () => {
  const run = (name: string, ...args: unknown[]) =>
    catalogue.classifyAt(
      { module: 'node:child_process', path: [name] },
      { arguments: args.map((arg) => (isAbstract(arg) ? arg : abstractOf(arg))) },
    );

  it('cannot say what a command does that it does not know', () => {
    expect(run('spawn', 'frobnicate', ['x'])).toMatchObject({ effect: 'unknown', certainty: 'undecided' });
  });

  it('is undecided and names the tool argument when the command comes from it', () => {
    expect(run('exec', { kind: 'input', path: 'command' } satisfies AbstractValue)).toMatchObject({
      certainty: 'undecided',
      condition: { input: 'command' },
    });
  });
});

describe('a project’s own entries', () => {
  it('flag what they weaken as assumed, with the reason', () => {
    const own = loadCatalogue([
      { module: 'fs', member: 'writeFile', effect: 'none', reason: 'a virtual file system' },
    ]);
    expect(
      own.classifyAt({ module: 'node:fs', path: ['default', 'writeFile'] }, { arguments: [] }),
    ).toMatchObject({
      effect: 'none',
      isAssumed: true,
    });
    expect(own.lookup({ module: 'fs', path: ['writeFile'] })?.assumption).toBe('a virtual file system');
  });

  it('are not assumed when they say more than the catalogue', () => {
    const own = loadCatalogue([
      { module: 'fs', member: 'readFile', effect: 'remote', kind: 'append', reason: 'an audited mount' },
    ]);
    expect(own.classifyAt({ module: 'fs', path: ['readFile'] }, { arguments: [] })).toMatchObject({
      effect: 'remote',
      isAssumed: false,
    });
  });

  it('add libraries that are in no file, along a path', () => {
    const own = loadCatalogue([
      {
        module: '@acme/crm',
        member: 'Client.new().*.create',
        effect: 'remote',
        kind: 'create',
        reason: 'our CRM',
      },
    ]);
    expect(
      own.classifyAt(
        { module: '@acme/crm', path: ['Client', 'new()', 'contacts', 'create'] },
        { arguments: [] },
      ),
    ).toMatchObject({
      effect: 'remote',
      converges: 'no',
      isAssumed: false,
    });
    expect(own.lookup({ module: '@acme/crm', path: ['Client', 'new()', 'contacts', 'list'] })).toBeNull();
  });

  it.each([
    [{ module: 'a', member: 'b', effect: 'nothing', reason: 'c' }, /effect/],
    [{ module: 'a', member: 'b', effect: 'none' }, /reason/],
    [{ module: '', member: 'b', effect: 'none', reason: 'c' }, /module/],
    [{ module: 'a', member: 'b', effect: 'none', kind: 'append', reason: 'c' }, /kind/],
    [{ module: 'a', member: 'b', effect: 'none', reason: 'c', extra: 1 }, /fields/],
    ['text', /object/],
  ])('are refused with a message that says what to do: %j', (entry, message) => {
    expect(() => loadCatalogue([entry as never])).toThrow(message);
    expect(() => loadCatalogue([entry as never])).toThrow(expect.objectContaining({ code: 'BAD_ENTRY' }));
  });
});

function bodyOf(body: unknown): Extract<AbstractValue, { kind: 'object' }> {
  return {
    kind: 'object',
    properties: { method: constant('POST'), body: { kind: 'json', value: abstractOf(body) } },
    isOpen: false,
  };
}

function isAbstract(value: unknown): value is AbstractValue {
  return typeof value === 'object' && value !== null && 'kind' in value;
}
