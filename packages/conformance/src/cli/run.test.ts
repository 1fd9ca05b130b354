import { readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { withFixture } from '../testing/check-fixture.js';
import { DEEP_CODE, FAULTY_TOOL, runCommand, runCommandIn, SOUND_TOOL } from '../testing/run-command.js';
import { packageFile } from './package-files.js';
import { STACK_EXHAUSTED } from './run.js';

const validate = new Ajv({ allErrors: true }).compile(
  JSON.parse(readFileSync(packageFile('schema/report.schema.json'), 'utf8')) as object,
);

interface Document {
  readonly error?: { readonly code: string; readonly message: string };
  readonly summary: Readonly<Record<string, number>>;
  readonly tools: readonly Readonly<Record<string, unknown>>[];
  readonly verdicts: readonly Readonly<Record<string, unknown>>[];
  readonly diagnostics: readonly Readonly<Record<string, unknown>>[];
}

/** The document on standard output, which must hold nothing else. */
function documentOf(stdout: string): Document {
  const document = JSON.parse(stdout) as Document;
  expect(validate(document), JSON.stringify(validate.errors)).toBe(true);
  return document;
}

describe('the exit code', () => {
  it('is 0 when nothing is violated', () => {
    const { code, stdout, stderr } = runCommand({ 'src/tools.ts': SOUND_TOOL }, []);
    expect(code).toBe(0);
    expect(stderr).toBe('');
    expect(stdout).toContain('save_page  idempotent_write');
    expect(stdout).toMatch(/Summary: 1 file, 1 tool, \d+ paths? proven, 0 unresolved calls, 0\.00 s/u);
  });

  it('agrees with the summary when a project-wide rule has findings at tools', () => {
    const { code, stdout } = runCommand(
      {
        'src/tools.ts': SOUND_TOOL,
        'toolwright.effects.json': '{ "schemaVersion": 1, "tools": { "save_page": "read_only" } }',
      },
      ['--rule', 'effects-are-pinned'],
    );
    expect(code).toBe(1);
    expect(stdout).toContain('0 proven, 1 violated, 0 inconclusive');
  });

  it('leaves the work to a larger stack when there is one, and says what to do when there is none', () => {
    expect(runCommand(DEEP_CODE, [], { hasLargerStack: true })).toEqual({
      code: STACK_EXHAUSTED,
      stdout: '',
      stderr: '',
    });
    const { code, stderr } = runCommand(DEEP_CODE, []);
    expect(code).toBe(2);
    expect(stderr).toContain('nests deeper than the stack');
    expect(stderr).not.toContain('RangeError');
  });

  it('is 1 when a contract is violated', () => {
    const { code, stdout } = runCommand({ 'src/tools.ts': FAULTY_TOOL }, []);
    expect(code).toBe(1);
    expect(stdout).toContain("> 7 |   effect: process.env.EFFECT as 'idempotent_write',");
    expect(stdout).toContain('       |           ^');
  });

  it('is 0 when something cannot be decided, and 1 when it is strict about that', () => {
    const files = {
      'src/tools.ts': SOUND_TOOL.replace("name: 'save_page'", 'name: process.env.NAME ?? ""'),
    };
    expect(runCommand(files, ['--rule', 'tool-names-unique']).code).toBe(0);
    const strict = runCommand(files, ['--rule', 'tool-names-unique', '--strict', '--format', 'json']);
    expect(strict.code).toBe(1);
    expect(documentOf(strict.stdout)).toMatchObject({
      tools: [{ name: null }],
      verdicts: [{ rule: 'tool-names-unique', verdict: 'inconclusive', tool: null }],
      diagnostics: [{ verdict: 'inconclusive', severity: 'warning' }],
    });
  });

  it('is 2 when there is no tool, and the message says what was looked for and where', () => {
    const { code, stdout, stderr } = runCommand({ 'src/pages.ts': 'export const a = 1;' }, []);
    expect(code).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).toContain('calls of defineTool from @toolwright/sdk');
    expect(stderr).toContain('  src/pages.ts');
  });

  it('is 2 when the only tools are in tests, and the message says so', () => {
    const { code, stderr } = runCommand(
      { 'src/tools.test.ts': SOUND_TOOL, 'src/pages.ts': 'export const a = 1;' },
      [],
    );
    expect(code).toBe(2);
    expect(stderr).toContain('Test files that were left out: 1.');
  });

  it('is 2 when a folder has no source at all', () => {
    const { code, stderr } = runCommand({ 'tsconfig.json': null, 'notes/readme.md': '#' }, ['notes']);
    expect(code).toBe(2);
    expect(stderr).toContain('No TypeScript or JavaScript source to check in notes');
  });

  it('is 2 when a path does not exist', () => {
    const { code, stderr } = runCommand({ 'src/tools.ts': SOUND_TOOL }, ['src/missing.ts']);
    expect(code).toBe(2);
    expect(stderr).toContain('src/missing.ts does not exist');
  });

  it('is 2 when a path cannot be read', () => {
    withFixture({ 'src/tools.ts': SOUND_TOOL }, (folder) => {
      symlinkSync(path.join(folder, 'loop'), path.join(folder, 'loop'));
      const { code, stderr } = runCommandIn(folder, ['loop']);
      expect(code).toBe(2);
      expect(stderr).toContain('loop cannot be read (ELOOP)');
    });
  });
});

describe('a file that does not parse', () => {
  const broken = 'export const broken = (;\n';

  it('ends the run with its place when a tool reaches it', () => {
    const { code, stdout, stderr } = runCommand(
      {
        'src/tools.ts': `import './middle.js';\n${SOUND_TOOL}`,
        'src/middle.ts': "export * from './broken.js';",
        'src/broken.ts': broken,
      },
      ['--format', 'json'],
    );
    expect(code).toBe(2);
    expect(documentOf(stdout).error).toMatchObject({ code: 'SYNTAX_ERROR' });
    expect(stderr).toContain('src/broken.ts:1:24 does not parse');
  });

  it('is a note when no tool reaches it', () => {
    const { code, stdout } = runCommand({ 'src/tools.ts': SOUND_TOOL, 'src/broken.ts': broken }, []);
    expect(code).toBe(0);
    expect(stdout).toContain('src/broken.ts:1:24 does not parse');
  });

  it('ends the run when it is the file that defines a tool', () => {
    const { code, stderr } = runCommand({ 'src/tools.ts': `${SOUND_TOOL}\nexport const x = {;\n` }, []);
    expect(code).toBe(2);
    expect(stderr).toContain('src/tools.ts:14:19 does not parse');
  });
});

describe('the JSON document', () => {
  it('has every field of its schema and nothing beside it on standard output when a tool is faulty', () => {
    const { code, stdout } = runCommand({ 'src/tools.ts': FAULTY_TOOL }, ['--format', 'json'], {
      isTTY: true,
      times: [0, 0, 5000],
    });
    expect(code).toBe(1);
    const document = documentOf(stdout);
    expect(document.tools).toEqual([
      {
        id: '.#save_page',
        name: 'save_page',
        effect: null,
        declared: true,
        framework: 'toolwright',
        file: 'src/tools.ts',
        line: 3,
      },
    ]);
    expect(document.diagnostics).toContainEqual(
      expect.objectContaining({
        rule: 'effect-is-constant',
        verdict: 'violated',
        severity: 'error',
        toolId: '.#save_page',
        tool: 'save_page',
        file: 'src/tools.ts',
        line: 7,
        column: 11,
        confidence: 'proven',
      }),
    );
    expect(document.summary).toMatchObject({ files: 1, tools: 1 });
  });

  it('is printed, empty and with the error, when the arguments are wrong', () => {
    const { code, stdout, stderr } = runCommand({}, ['--format', 'json', '--sctrict']);
    expect(code).toBe(2);
    expect(documentOf(stdout)).toMatchObject({
      error: { code: 'BAD_ARGUMENTS', message: expect.stringContaining('Did you mean "--strict"?') },
      tools: [],
      verdicts: [],
    });
    expect(stderr).toContain('Unknown option --sctrict');
  });

  it('goes into a file when an output is named', () => {
    withFixture({ 'src/tools.ts': SOUND_TOOL }, (folder) => {
      const { code, stdout } = runCommandIn(folder, ['--format', 'json', '--output', 'report.json']);
      expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
      documentOf(readFileSync(path.join(folder, 'report.json'), 'utf8'));
      const failed = runCommandIn(folder, ['--format', 'json', '--output', 'no/such/folder/report.json']);
      expect(failed.code).toBe(2);
      expect(documentOf(failed.stdout).error?.code).toBe('OUTPUT_FAILED');
    });
  });

  it('keeps a fingerprint when lines move, and changes it with the code', () => {
    const fingerprintOf = (source: string): unknown =>
      documentOf(
        runCommand({ 'src/tools.ts': source }, ['--format', 'json', '--rule', 'effect-is-constant']).stdout,
      ).diagnostics[0]?.['fingerprint'];
    const fingerprint = fingerprintOf(FAULTY_TOOL);
    expect(fingerprint).toMatch(/^[0-9a-f]{32}$/u);
    expect(fingerprintOf(`// moved\n\n${FAULTY_TOOL}`)).toBe(fingerprint);
    expect(fingerprintOf(FAULTY_TOOL.replace('env.EFFECT', 'env.OTHER'))).not.toBe(fingerprint);
  });
});

describe('text of the analysed code', () => {
  it('reaches neither the terminal nor a workflow command when a name has control characters', () => {
    const name = String.raw`::error file=a::b\u001b[31m\u202Ered\n::warning::x`;
    const files = { 'src/tools.ts': SOUND_TOOL.replace("'save_page'", `'${name}'`) };
    const { stdout } = runCommand(files, []);
    // eslint-disable-next-line no-control-regex -- the control character is what is looked for
    expect(stdout).not.toMatch(/[\u001b\u202e]/u);
    expect(stdout).not.toMatch(/^\s*::|##\[/mu);
    expect(stdout).toContain(String.raw`\u{3a}:error file=a::b\u{1b}[31m\u{202e}red\n::warning::x`);
    const { stdout: json } = runCommand(files, ['--format', 'json']);
    expect(documentOf(json).tools[0]?.['name']).toBe('::error file=a::b\u001b[31m\u202Ered\n::warning::x');
  });

  it('is escaped in frames and messages when the source holds it', () => {
    const source = FAULTY_TOOL.replace(
      "effect: process.env.EFFECT as 'idempotent_write',",
      "/* \u202e \u0007 ##[error] */ effect: process.env['::error::'] as 'idempotent_write',",
    );
    const { stdout } = runCommand({ 'src/tools.ts': source }, []);
    expect(stdout).toContain(String.raw`/* \u{202e} \u{7} \u{23}#[error] */ effect`);
    expect(stdout).not.toMatch(/^\s*::/mu);
  });
});

describe('colours', () => {
  const colored = (isTTY: boolean, env: Record<string, string>): boolean =>
    runCommand({ 'src/tools.ts': SOUND_TOOL }, [], { isTTY, env }).stdout.includes('\u001B[');

  it('are used on a terminal alone when nothing is said about them', () => {
    expect([colored(true, {}), colored(false, {}), colored(true, { TERM: 'dumb' })]).toEqual([
      true,
      false,
      false,
    ]);
  });

  it('follow the environment when it says something', () => {
    expect([
      colored(true, { NO_COLOR: '1' }),
      colored(false, { FORCE_COLOR: '1' }),
      colored(true, { FORCE_COLOR: '0' }),
      colored(false, { FORCE_COLOR: '1', NO_COLOR: '1' }),
    ]).toEqual([false, true, false, false]);
  });
});

describe('progress', () => {
  it('is shown on a terminal, and taken away again, when a run takes longer than a second', () => {
    const { stderr } = runCommand({ 'src/tools.ts': SOUND_TOOL }, [], { isTTY: true, times: [0, 0, 2000] });
    expect(stderr).toContain('Following');
    expect(stderr.endsWith('\r\u001B[K')).toBe(true);
  });

  it('is not shown when a run is quick, or nobody watches', () => {
    expect(runCommand({ 'src/tools.ts': SOUND_TOOL }, [], { isTTY: true, times: [0, 0, 900] }).stderr).toBe(
      '',
    );
    expect(runCommand({ 'src/tools.ts': SOUND_TOOL }, [], { times: [0, 0, 9000] }).stderr).toBe('');
  });
});

describe('suppressions', () => {
  const withComment = (comment: string): string =>
    FAULTY_TOOL.replace('  effect:', `  ${comment}\n  effect:`);
  const rule = ['--rule', 'effect-is-constant'];

  it('leave a finding out, and are counted, when a comment gives the reason', () => {
    const { code, stdout } = runCommand(
      { 'src/tools.ts': withComment('// toolwright-ignore effect-is-constant -- decided in ticket 12') },
      rule,
    );
    expect(code).toBe(0);
    expect(stdout).toContain('0 violated, 0 inconclusive, 0 not applicable, 1 suppressed');
    expect(stdout).toContain('decided in ticket 12');
  });

  it('are refused, and said to be, when a comment gives no reason', () => {
    const { code, stdout } = runCommand(
      { 'src/tools.ts': withComment('/* toolwright-ignore effect-is-constant */') },
      rule,
    );
    expect(code).toBe(1);
    expect(stdout).toContain('gives no reason, so it was refused');
    expect(stdout).toContain('src/tools.ts:7: the toolwright-ignore comment gives no reason');
  });

  it('suppress nothing when the text is in a string, or names another rule', () => {
    const inString = FAULTY_TOOL.replace(
      "description: 'Saves a page.',",
      'description: `\n// toolwright-ignore effect-is-constant -- no\n`,',
    );
    expect(runCommand({ 'src/tools.ts': inString }, rule).code).toBe(1);
    const other = withComment('// toolwright-ignore tool-names-unique -- no');
    const { code, stdout } = runCommand({ 'src/tools.ts': other }, rule);
    expect(code).toBe(1);
    expect(stdout).toContain('meets no finding of tool-names-unique');
  });

  it('come from the configuration when it names rule, tool or file', () => {
    const config = (suppression: object): string => JSON.stringify({ suppressions: [suppression] });
    const codeWith = (suppression: object): number =>
      runCommand({ 'src/tools.ts': FAULTY_TOOL, 'toolwright.config.json': config(suppression) }, rule).code;
    expect(codeWith({ rule: 'effect-is-constant', tool: 'save_page', reason: 'known' })).toBe(0);
    expect(codeWith({ rule: 'effect-is-constant', file: 'src/**', reason: 'known' })).toBe(0);
    expect(codeWith({ rule: 'effect-is-constant', tool: 'other', reason: 'known' })).toBe(1);
    expect(codeWith({ rule: 'effect-is-constant', reason: ' ' })).toBe(2);
    expect(codeWith({ rule: 'effect-is-literal', reason: 'known' })).toBe(2);
  });
});

describe('the configuration', () => {
  it.each([
    ['{', 'is no valid JSON'],
    ['{ "rawHandler": [] }', 'must NOT have additional properties (rawHandler)'],
    ['{ "rawHandlers": "Raw" }', '/rawHandlers must be array'],
  ])('is refused with what is wrong when it is %s', (text, message) => {
    const { code, stderr } = runCommand({ 'src/tools.ts': SOUND_TOOL, 'toolwright.config.json': text }, []);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });

  it('is refused when the file that is named does not exist', () => {
    const { code, stderr } = runCommand({ 'src/tools.ts': SOUND_TOOL }, ['--config', 'other.json']);
    expect(code).toBe(2);
    expect(stderr).toContain('Cannot read the configuration other.json (ENOENT)');
  });
});

describe('options', () => {
  it.each([
    [['--formt', 'json'], 'Unknown option --formt. Did you mean "--format"?'],
    [['--format', 'jsn'], 'Did you mean "json"?'],
    [['--rule', 'effect-is-const'], 'Did you mean "effect-is-constant"?'],
    [['--explain', 'tool-name-unique'], 'Did you mean "tool-names-unique"?'],
    [['--strict=yes'], '--strict takes no value'],
    [['-p'], '-p needs a value'],
    [['-p', '--strict'], 'needs a value'],
    [['--config', 'a', '--config', 'b'], '--config can be given once'],
    [['-x'], 'Unknown option -x'],
  ])('are refused with a suggestion when they are %j', (args, message) => {
    const { code, stderr } = runCommand({}, args);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });

  it('print the tools alone when they are listed', () => {
    const { code, stdout } = runCommand({ 'src/tools.ts': FAULTY_TOOL }, ['--list-tools']);
    expect(code).toBe(0);
    expect(stdout).toContain('save_page  (effect is no literal)  src/tools.ts:3');
    expect(stdout).not.toContain('violated');
    const json = runCommand({ 'src/tools.ts': SOUND_TOOL }, ['--list-tools', '--format', 'json']);
    expect(documentOf(json.stdout)).toMatchObject({ tools: [{ name: 'save_page' }], verdicts: [] });
  });

  it('print a rule and what its verdict rests on when it is explained', () => {
    const { code, stdout } = runCommand({}, ['--explain', 'effect-is-constant']);
    expect(code).toBe(0);
    expect(stdout).toContain('# effect-is-constant');
    expect(stdout).toContain('## What the verdict rests on');
  });

  it('ask one rule when it is named', () => {
    const { stdout } = runCommand({ 'src/tools.ts': SOUND_TOOL }, [
      '--format',
      'json',
      '--rule',
      'effect-is-constant',
    ]);
    expect(new Set(documentOf(stdout).verdicts.map(({ rule }) => rule))).toEqual(
      new Set(['effect-is-constant']),
    );
  });

  it('print help and the version when they are asked for', () => {
    const help = runCommand({}, ['--help']);
    expect(help.code).toBe(0);
    expect(help.stdout).toContain('Usage: toolwright-conformance [paths...] [options]');
    expect(help.stdout).toContain('effect-is-constant');
    expect(runCommand({}, ['-v']).stdout).toMatch(/^\d+\.\d+\.\d+/u);
  });
});
