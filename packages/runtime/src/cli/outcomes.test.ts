import { WriteTarget } from '@toolwright/sdk';
import { createRecordingLogger, InMemoryContent } from '@toolwright/sdk/testing';
import { describe, expect, it } from 'vitest';
import { neverPause, scriptedModel, type Model, type ScriptedCall } from '../index.js';
import { creator, reader, renamer } from '../loop/fixtures/harness.js';
import { describeOnDatabases, type TestDatabases } from '../store/sql/fixtures/test-databases.js';
import { operatorWorld } from './fixtures/operator-world.js';
import { Printer } from './printer.js';

const page = (uid: number) => WriteTarget.of('pages', uid);
const rename = (uid: number): ScriptedCall => ({ tool: 'rename_page', arguments: { uid, title: 'New' } });
const NONE = { accepted_unchanged: 0, edited: 0, discarded: 0 };

/** Five records written by two tools and two models: accepted, edited, discarded, undecided, purged. */
async function written(databases: TestDatabases) {
  const world = await operatorWorld(databases);
  const content = new InMemoryContent({
    records: { pages: { 1: {}, 2: {}, 3: {}, 4: {} } },
    clock: world.clock,
    logger: createRecordingLogger(),
  });
  const host = (model: Model, newId: () => string) =>
    world.host({ model, newId, content, policy: neverPause, tools: [creator(), renamer(), reader()] })
      .runtime;
  const say = async (name: string, runId: string, ...calls: readonly ScriptedCall[]) => {
    const model = scriptedModel([{ call: calls }, 'Done.']);
    const named: Model = { respond: async (request) => ({ ...(await model.respond(request)), model: name }) };
    await host(named, () => runId).run({ actor: { id: 'anna' }, prompt: 'x' });
  };
  await say('=model()', 'run-1', rename(1), rename(2), rename(3));
  world.clock.advance(86_400_000);
  await say('m-2', 'run-2', rename(4), { tool: 'create_page', arguments: {} }, { tool: 'count_pages' });
  content.release(page(1));
  content.edit(page(2), { title: 'Mine' });
  content.release(page(2));
  content.remove(page(3));
  content.purgeHistory(page(4));
  const runtime = host(scriptedModel([]), () => 'run-9');
  return { ...world, content, runtime, command: (...args: string[]) => world.command(args, runtime) };
}

describeOnDatabases('toolwright-runtime outcomes', (databases) => {
  it('derives, and prints both sources with their denominators', async () => {
    const { command } = await written(databases);
    const before = await command('outcomes');
    expect(before).toMatchObject({ code: 0, stderr: '' });
    expect(before.stdout).toMatch(/^rename_page +=model\(\) +3 +0 +0 +0 +0 +3 +0$/mu);
    expect(await command('rate', 'run-1', 'call_1', '--helpful')).toEqual({
      code: 0,
      stdout: 'Call call_1 is rated helpful.\n',
      stderr: '',
    });
    await command('rate', 'run-1', 'call_2', '--helpful');
    await command('rate', 'run-1', 'call_2', '--not-helpful');
    const { code, stdout, stderr } = await command('outcomes', '--derive');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout.split('\n').map((line) => line.replace(/ {2,}/gu, ' | '))).toEqual([
      'Looked at 5 records: 1 accepted unchanged, 1 edited, 1 discarded, 1 undecided, 1 unknown.',
      '',
      "Observed in the content system's history, in records; shares are of the decided ones:",
      'TOOL | MODEL | LANDED | DECIDED | ACCEPTED UNCHANGED | EDITED | DISCARDED | UNDECIDED | UNKNOWN',
      'create_page | m-2 | 1 | 0 | 0 | 0 | 0 | 1 | 0',
      'rename_page | =model() | 3 | 3 | 1 (33.3 %) | 1 (33.3 %) | 1 (33.3 %) | 0 | 0',
      'rename_page | m-2 | 1 | 0 | 0 | 0 | 0 | 0 | 1 (purged 1)',
      '',
      'Said by people, in calls that wrote a record; shares are of the rated ones:',
      'TOOL | MODEL | CALLS | RATED | HELPFUL | NOT HELPFUL | UNRATED',
      'create_page | m-2 | 1 | 0 | 0 | 0 | 1',
      'rename_page | =model() | 3 | 2 | 1 (50.0 %) | 1 (50.0 %) | 1',
      'rename_page | m-2 | 1 | 0 | 0 | 0 | 1',
      '',
    ]);
    expect((await command('outcomes', '--derive')).stdout).toMatch(/^Looked at 1 records: 0 accepted/u);
  });

  it('prints one document as JSON, in which nothing mixes the two sources', async () => {
    const { command, clock } = await written(databases);
    await command('rate', 'run-1', 'call_1', '--not-helpful', '--json');
    const document = JSON.parse(
      (await command('outcomes', '--derive', '--by', 'tool', '--json')).stdout,
    ) as object;
    expect(document).toEqual({
      derivation: {
        lookedAt: 5,
        accepted_unchanged: 1,
        edited: 1,
        discarded: 1,
        undecided: 1,
        unknown: 1,
        failed: 0,
      },
      by: 'tool',
      filter: { tool: null, from: null, to: null },
      observed: [
        {
          ...{ tool: 'create_page', model: null, landed: 1, decided: 0, undecided: 1, unknown: 0 },
          ...{ unknownReasons: {}, counts: NONE, rates: null },
        },
        {
          ...{ tool: 'rename_page', model: null, landed: 4, decided: 3, undecided: 0, unknown: 1 },
          unknownReasons: { purged: 1 },
          counts: { accepted_unchanged: 1, edited: 1, discarded: 1 },
          rates: { accepted_unchanged: 1 / 3, edited: 1 / 3, discarded: 1 / 3 },
        },
      ],
      explicit: [
        {
          ...{ tool: 'create_page', model: null, calls: 1, rated: 0, unrated: 1 },
          ...{ counts: { helpful: 0, not_helpful: 0 }, rates: null },
        },
        {
          ...{ tool: 'rename_page', model: null, calls: 4, rated: 1, unrated: 3 },
          ...{ counts: { helpful: 0, not_helpful: 1 }, rates: { helpful: 0, not_helpful: 1 } },
        },
      ],
    });
    const filtered = await command('outcomes', '--format', 'json', '--tool', 'rename_page', '--since', '12h');
    expect(JSON.parse(filtered.stdout)).toMatchObject({
      filter: {
        tool: 'rename_page',
        from: new Date(clock.now().getTime() - 43_200_000).toISOString(),
        to: null,
      },
      observed: [{ model: 'm-2', landed: 1 }],
      explicit: [{ model: 'm-2', calls: 1 }],
    });
    const early = await command('outcomes', '--json', '--until', clock.now().toISOString(), '--by', 'model');
    expect(JSON.parse(early.stdout)).toMatchObject({
      observed: [{ tool: null, model: '=model()', landed: 3 }],
    });
  });

  it('prints CSV in which no cell is a formula, and says what it derived beside it', async () => {
    const { command } = await written(databases);
    await command('rate', 'run-1', 'call_1', '--helpful');
    const { code, stdout, stderr } = await command(
      'outcomes',
      '--derive',
      '--format',
      'csv',
      '--tool',
      'rename_page',
    );
    expect(code).toBe(0);
    expect(stderr).toBe(
      'toolwright-runtime: Looked at 4 records: 1 accepted unchanged, 1 edited, 1 discarded, 0 undecided, 1 unknown.\n',
    );
    const rows = stdout.split('\r\n');
    expect(rows.slice(0, 5)).toEqual([
      'source,tool,model,value,reason,count,of,of_count,rate',
      `observed,rename_page,'=model(),accepted_unchanged,,1,decided,3,${String(1 / 3)}`,
      `observed,rename_page,'=model(),edited,,1,decided,3,${String(1 / 3)}`,
      `observed,rename_page,'=model(),discarded,,1,decided,3,${String(1 / 3)}`,
      "observed,rename_page,'=model(),undecided,,0,landed,3,0",
    ]);
    expect(rows).toContain('observed,rename_page,m-2,unknown,purged,1,landed,1,1');
    expect(rows).toContain('observed,rename_page,m-2,edited,,0,decided,0,');
    expect(rows).toContain("explicit,rename_page,'=model(),helpful,,1,rated,1,1");
    expect(rows).toContain("explicit,rename_page,'=model(),unrated,,2,calls,3,0.6666666666666666");
    expect(rows.at(-1)).toBe('');
  });

  it('says that there is nothing when nothing was written', async () => {
    const { command } = await operatorWorld(databases);
    expect(await command(['outcomes', '--derive'])).toEqual({
      code: 0,
      stdout:
        'Looked at 0 records: 0 accepted unchanged, 0 edited, 0 discarded, 0 undecided, 0 unknown.\n\n' +
        'No record that a tool is known to have written.\n',
      stderr: '',
    });
    expect((await command(['outcomes', '--format', 'csv'])).stdout).toBe(
      'source,tool,model,value,reason,count,of,of_count,rate\r\n',
    );
  });

  it('asks again about what is unknown for good when the history was the wrong one', async () => {
    const { command, content } = await written(databases);
    const right = content.history.since.bind(content.history);
    content.history.since = () => Promise.resolve({ kind: 'unknown', reason: 'purged' });
    expect((await command('outcomes', '--derive')).stdout).toMatch(/^Looked at 5 records: .* 5 unknown\.$/mu);
    content.history.since = right;
    expect((await command('outcomes', '--derive')).stdout).toMatch(/^Looked at 0 records/u);
    expect((await command('outcomes', '--derive', '--again')).stdout).toMatch(
      /^Looked at 5 records: 1 accepted unchanged, 1 edited, 1 discarded, 1 undecided, 1 unknown\.$/mu,
    );
    expect((await command('outcomes', '--derive')).stdout).toMatch(/^Looked at 1 records: .* 1 undecided/mu);
  });

  it('says of how many records the history could not be read', async () => {
    const { command, content } = await written(databases);
    content.history.since = () => Promise.reject(new Error('down'));
    const { code, stdout } = await command('outcomes', '--derive');
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^Looked at 5 records: .*, 5 whose history could not be read \(see the log\)\.$/mu,
    );
  });

  it.each([
    [['outcomes', '--format', 'xml'], 2, 'Expected --format to be table, csv or json, found "xml".'],
    [['outcomes', '--format', 'csv', '--json'], 2, 'Expected either --json or --format csv, found both.'],
    [
      ['outcomes', '--by', 'person'],
      2,
      'Expected --by to be one of tool or model or tool,model, found "person".',
    ],
    [['outcomes', '--since', 'yesterday'], 2, 'Expected --since to be a time such as 30d'],
    [['outcomes', '--until', '2026-13-01'], 2, 'Expected --until to be a time such as 30d'],
    [['rate', 'run-1', 'call_1'], 2, 'Expected either --helpful or --not-helpful, found neither.'],
    [['rate', 'run-1', 'call_1', '--helpful', '--not-helpful'], 2, 'found both'],
    [['rate', 'run-1', '--helpful'], 2, 'Expected the id of a call'],
    [['rate', 'run-7', 'call_1', '--helpful'], 1, '(RUN_NOT_FOUND)'],
    [['rate', 'run-1', 'call_7', '--helpful'], 1, '(CALL_NOT_FOUND)'],
    [['rate', 'run-2', 'call_3', '--helpful'], 1, '(CALL_NOT_RATEABLE)'],
  ])('refuses %j', async (args, code, message) => {
    const { command } = await written(databases);
    const said = await command(...args);
    expect(said.code).toBe(code);
    expect(said.stderr).toContain(message);
  });
});

describe('a printer of CSV', () => {
  it('quotes what needs it, and lets neither a spreadsheet nor a terminal obey anything', () => {
    let stdout = '';
    const out = { write: (text: string) => (stdout += text) };
    const terminal = { cwd: '/', env: {}, stdout: out, stderr: out, now: () => new Date(0) };
    const printer = new Printer({ ...terminal, onStopSignal: () => () => undefined }, false);
    printer.csv(
      ['a', 'b'],
      [
        ['=1+1', '+1'],
        ['-1', '@x'],
        ['\uff1dx', 'a,"b"'],
        ['a\nb\u001b[2J', null],
        [-1, 0.5],
      ],
    );
    expect(stdout.split('\r\n')).toEqual([
      'a,b',
      "'=1+1,'+1",
      "'-1,'@x",
      '\'\uff1dx,"a,""b"""',
      'a\\nb\\u{1b}[2J,',
      '-1,0.5',
      '',
    ]);
  });
});
