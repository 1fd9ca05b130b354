import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { RuntimeError } from '../errors.js';
import { describeOnDatabases } from '../store/sql/fixtures/test-databases.js';
import { CREATE, operatorWorld } from './fixtures/operator-world.js';

const json = (stdout: string): unknown => JSON.parse(stdout);

describeOnDatabases('toolwright-runtime', (databases) => {
  it('lists runs, shows one, and decides about its call: the way of an approval', async () => {
    const { command, request, effects } = await operatorWorld(databases);
    await request();
    const listed = await command(['runs']);
    expect(listed.code).toBe(0);
    expect(listed.stdout).toMatch(/^RUN +STATUS +ACTOR +STEPS +CHANGED +MORE\nrun-1 +paused +anna +3 /u);

    const shown = await command(['show', 'run-1', '--as', 'ben']);
    expect(shown.stdout).toContain('| Create "News [31m"');
    expect(shown.stdout).toContain('Decide: toolwright-runtime approve run-1 CALL --as YOU');

    const approved = await command(['approve', 'run-1', '--as', 'ben']);
    expect(approved).toMatchObject({ code: 0, stderr: '' });
    expect(approved.stdout).toMatch(/create_page \[call_1_1\] is approved\.\nThe run is completed\./u);
    expect(approved.stdout).toMatch(/call_1_1 +create_page +landed +pages:1\nDone\./u);
    expect(effects).toEqual(['News\u001b[31m']);

    // The run does not allow it: that is no mistake in what was given.
    const again = await command(['approve', 'run-1', '--as', 'ben']);
    expect(again).toMatchObject({ code: 1, stdout: '' });
    expect(again.stderr).toContain('nothing of it waits');
  });

  it.each(['INVALID_CONFIGURATION', 'INVALID_SCHEDULE'] as const)(
    'takes a host that is set up wrong (%s) for a mistake in what was given',
    async (code) => {
      const { command, runtime } = await operatorWorld(databases);
      const list = () => Promise.reject(new RuntimeError(code, 'The host is set up wrong.'));
      const wrong = { ...runtime, operations: { list } } as unknown as typeof runtime;
      expect(await command(['runs'], wrong)).toMatchObject({
        code: 2,
        stderr: `toolwright-runtime: The host is set up wrong. (${code})\n`,
      });
    },
  );

  it('says how many calls wait, and asks for a name where there are several', async () => {
    const { command, request } = await operatorWorld(databases, [
      { call: [CREATE.call, CREATE.call].flat() },
      CREATE,
      'Done.',
    ]);
    await request();
    expect(await command(['approve', 'run-1', '--as', 'ben'])).toMatchObject({ code: 2 });
    const first = await command(['approve', 'run-1', 'call_1_1', '--as', 'ben']);
    expect(first.stdout).toContain('create_page [call_1_2] still waits.');
    const second = await command(['approve', 'run-1', 'call_1_2', '--as', 'ben']);
    expect(second.stdout).toContain('The run is paused.');
    expect(second.stdout).toContain('One call waits: toolwright-runtime show run-1');
  });

  it.each([
    ['somebody whom the tool does not let see it', ['--as', 'carl'], 'withheld from carl'],
    ['nobody in particular', [], 'withheld from whoever does not say who looks'],
  ])('withholds the preview from %s', async (_what, as, line) => {
    const { command, request } = await operatorWorld(databases);
    await request();
    const { stdout } = await command(['show', 'run-1', ...as]);
    expect(stdout).toContain(line);
    expect(stdout).not.toContain('News');
    const document = json((await command(['show', 'run-1', '--json', ...as])).stdout);
    expect(document).toMatchObject({ run: { status: 'paused' }, pauses: [{ preview: null, input: null }] });
    expect(JSON.stringify(document)).not.toContain('News');
  });

  it('prints nothing that a terminal obeys', async () => {
    const { command, request } = await operatorWorld(databases);
    await request();
    for (const args of [
      ['show', 'run-1', '--as', 'ben'],
      ['show', 'run-1', '--as', 'ben', '--json'],
      ['runs'],
    ]) {
      const { stdout, stderr } = await command(args);
      expect(stdout + stderr).not.toMatch(/[^\P{Cc}\n]|\p{Cf}/u);
    }
    expect((await command(['show', 'run-1', '--as', 'ben'])).stdout).toContain('News\\u001b[31m');
  });

  it('declines, tells the model why, and the call never runs', async () => {
    const { command, request, effects, store } = await operatorWorld(databases);
    await request();
    const { code, stdout } = await command([
      'decline',
      'run-1',
      'call_1_1',
      '--as',
      'ben',
      '--reason',
      'no news',
      '--json',
    ]);
    expect(code).toBe(0);
    expect(json(stdout)).toMatchObject({
      decision: { callId: 'call_1_1', phase: 'declined', by: 'ben' },
      result: { status: 'completed', writes: [] },
    });
    expect(effects).toEqual([]);
    expect(JSON.stringify((await store.read('run-1'))?.steps)).toContain('no news');
  });

  it('only records a decision when it is asked to, and resumes later', async () => {
    const { command, request, effects } = await operatorWorld(databases);
    await request();
    const { stdout } = await command(['approve', 'run-1', '--as', 'ben', '--no-resume']);
    expect(stdout).toContain('toolwright-runtime resume run-1');
    expect(effects).toEqual([]);
    expect((await command(['resume', 'run-1'])).stdout).toContain('The run is completed.');
    expect(effects).toHaveLength(1);
  });

  it.each<[string, readonly string[], number, string]>([
    ['nobody says who decides', ['approve', 'run-1'], 2, 'BAD_ARGUMENTS'],
    ["it is the run's own actor", ['approve', 'run-1', '--as', 'anna'], 1, 'APPROVAL_NOT_ALLOWED'],
    [
      'another digest was shown',
      ['approve', 'run-1', '--as', 'ben', '--digest', 'x'],
      1,
      'APPROVAL_MISMATCH',
    ],
    ['no such call waits', ['approve', 'run-1', 'call_9', '--as', 'ben'], 1, 'APPROVAL_NOT_PENDING'],
    ['there is no such run', ['show', 'nope'], 1, 'RUN_NOT_FOUND'],
    ['the run did not fail', ['requeue', 'run-1'], 1, 'RUN_NOT_REQUEUABLE'],
    ['nothing is unresolved', ['resolve', 'run-1', '--not-landed', '--as', 'ben'], 1, 'RUN_NOT_RESOLVABLE'],
    [
      'both answers are given',
      ['resolve', 'run-1', '--not-landed', '--landed', 'a:1', '--as', 'b'],
      2,
      'BAD_ARGUMENTS',
    ],
    ['no answer is given', ['resolve', 'run-1', '--as', 'ben'], 2, 'BAD_ARGUMENTS'],
    ['a record has no uid', ['resolve', 'run-1', '--landed', 'pages', '--as', 'ben'], 2, 'BAD_ARGUMENTS'],
    ['a time has no unit', ['purge', '--older-than', '30'], 2, 'BAD_ARGUMENTS'],
    ['a time is missing', ['purge'], 2, 'BAD_ARGUMENTS'],
    ['a status does not exist', ['runs', '--status', 'lost'], 2, 'BAD_ARGUMENTS'],
    ['a number is none', ['runs', '--limit', '1e3'], 2, 'BAD_ARGUMENTS'],
    ['an option is mistyped', ['runs', '--statsu', 'paused'], 2, 'BAD_ARGUMENTS'],
    ['an option has no value', ['show', 'run-1', '--as', '--json'], 2, 'BAD_ARGUMENTS'],
    ['a command is mistyped', ['shwo', 'run-1'], 2, 'BAD_ARGUMENTS'],
    ['there is one argument too many', ['cancel', 'run-1', 'run-2'], 2, 'BAD_ARGUMENTS'],
  ])('changes nothing and says what to do when %s', async (_what, args, code, name) => {
    const { command, request, units } = await operatorWorld(databases);
    await request();
    const rows = async () => units.read({ sql: 'select * from runs', parameters: [] });
    const before = await rows();
    const said = await command(args);
    expect(said.code).toBe(code);
    expect(said.stderr).toContain(`(${name})`);
    expect(said.stderr).toMatch(/^toolwright-runtime: .{20}/u);
    const asJson = await command([...args, '--json']);
    if (!args.includes('--json')) expect(json(asJson.stdout)).toMatchObject({ error: { code: name } });
    expect(await rows()).toEqual(before);
  });

  it('shows no password of what the host said when it could not be loaded', async () => {
    const { command, runtime } = await operatorWorld(databases);
    const broken = Object.assign(Object.create(runtime) as typeof runtime, {
      cancel: () => Promise.reject(new RuntimeError('HOST_NOT_LOADED', 'no way to pg://ann:pw-4711@db/x')),
    });
    const { stderr, stdout, code } = await command(['cancel', 'run-1', '--json'], broken);
    expect(code).toBe(2);
    expect(stderr).toContain('pg://[redacted]@db/x');
    expect(stdout + stderr).not.toContain('pw-4711');
  });

  it('tells the class alone of what nobody expected', async () => {
    const { command, runtime } = await operatorWorld(databases);
    const broken = Object.assign(Object.create(runtime) as typeof runtime, {
      cancel: () => Promise.reject(new TypeError('hunter2')),
    });
    const { stderr, code } = await command(['cancel', 'run-1'], broken);
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('(TypeError)') });
    expect(stderr).not.toContain('hunter2');
  });

  it('suggests the command or option that was meant', async () => {
    const { command } = await operatorWorld(databases);
    expect((await command(['shwo'])).stderr).toContain('Did you mean "show"?');
    expect((await command(['runs', '--statsu', 'x'])).stderr).toContain('Did you mean "--status"?');
  });

  it('leads from a dead letter with an open write back to a run that completes', async () => {
    const { command, vanish, effects, runtime, signal, during } = await operatorWorld(databases);
    await vanish();
    expect(effects).toHaveLength(1);
    expect((await command(['reap'])).stdout).toMatch(/run-1 +dead letter +not_retryable, write_interrupted/u);
    expect((await command(['runs', '--dead'])).stdout).toContain('open write of create_page');
    expect((await command(['show', 'run-1'])).stdout).toMatch(
      /open write +create_page \[call_1_1\], non_idempotent_write: nobody knows[\s\S]*resolve run-1 --landed TABLE:UID/u,
    );
    expect(await command(['requeue', 'run-1'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('WRITE_UNRESOLVED'),
    });
    const resolved = await command([
      'resolve',
      'run-1',
      '--landed',
      'pages:1',
      '--as',
      'ben',
      '--reason',
      'it is there',
    ]);
    expect(resolved.stdout).toBe(
      'Call call_1_1 wrote pages:1.\nPut the run back with: toolwright-runtime requeue run-1\n',
    );
    expect((await command(['requeue', 'run-1'])).stdout).toBe('The run is queued.\n');

    during.effect = () => Promise.resolve();
    const working = command(['work', '--concurrency', '2']);
    while ((await runtime.operations.find('run-1'))?.status !== 'completed') await new Promise(setImmediate);
    signal();
    expect(await working).toMatchObject({ code: 0, stderr: expect.stringContaining('Takes no more runs') });
    expect(effects).toHaveLength(1);
    expect((await command(['show', 'run-1'])).stdout).toContain('found by ben: it is there');
  });

  it('drains on a signal: what is under way is finished, and nothing more is taken', async () => {
    const { command, host, effects, during, signal, runtime } = await operatorWorld(databases);
    const worker = host({ policy: { decide: () => 'proceed' } });
    await runtime.enqueue({ actor: { id: 'anna' }, prompt: 'x' });
    let finish: () => void = () => undefined;
    const started = new Promise<void>((resolve) => {
      during.effect = () => {
        resolve();
        return new Promise((done) => (finish = done));
      };
    });
    const working = command(['work', '--concurrency', '1'], worker.runtime);
    await started;
    await runtime.enqueue({ actor: { id: 'anna' }, prompt: 'x', runId: 'run-2' });
    signal();
    finish();
    expect((await working).code).toBe(0);
    expect(effects).toHaveLength(1);
    expect((await runtime.operations.find('run-1'))?.status).toBe('completed');
    expect((await runtime.operations.find('run-2'))?.status).toBe('queued');
  });

  it('shows late evidence with the dead letter, and puts the run back only once it was read', async () => {
    const { command, store, runtime, clock } = await operatorWorld(databases);
    await runtime.enqueue({ actor: { id: 'anna' }, prompt: 'x' });
    const journal = (await store.claimQueued('run-1'))!;
    const target = { table: 'pages', uid: 3 };
    await journal.keepLateEvidence({
      callId: 'c1',
      tool: 'create_page',
      cause: 'run_lost',
      ending: 'answered',
      target,
      landed: [target],
    });
    journal.close?.();
    clock.advance(300_000);
    await command(['reap']);
    expect((await command(['show', 'run-1'])).stdout).toMatch(
      /dead letter +not_retryable, audit_lost[\s\S]*too late[\s\S]*c1 +create_page +run_lost +answered +pages:3 +pages:3/u,
    );
    expect(await command(['requeue', 'run-1'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('EVIDENCE_UNREAD'),
    });
    expect((await command(['requeue', 'run-1', '--evidence-read'])).code).toBe(0);
  });

  it('cancels, and purges what ended long ago', async () => {
    const { command, request, clock } = await operatorWorld(databases);
    await request();
    expect((await command(['cancel', 'run-1'])).stdout).toBe('The run is cancelled.\n');
    expect((await command(['cancel', 'run-1'])).stdout).toContain('had ended before');
    clock.advance(3 * 86_400_000);
    expect(json((await command(['purge', '--older-than', '4d', '--json'])).stdout)).toMatchObject({
      purged: 0,
    });
    expect(json((await command(['purge', '--older-than', '2d', '--json'])).stdout)).toMatchObject({
      purged: 1,
    });
    expect((await command(['runs'])).stdout).toBe('No run.\n');
  });

  it('shows the state of a run whose key is not here, and says so', async () => {
    const { command, host } = await operatorWorld(databases);
    const key = (id: string) => ({ keys: [{ id, secret: randomBytes(32) }] });
    const sealed = key('k1');
    await host({}, sealed).runtime.run({ actor: { id: 'anna' }, prompt: 'x' });
    const wrong = host({}, key('k2')).runtime;
    const said = await command(['show', 'run-1', '--as', 'ben'], wrong);
    expect(said).toMatchObject({ code: 1, stderr: expect.stringContaining('WRONG_KEY') });
    expect(said.stdout).toMatch(/run +run-1\nstatus +paused\nactor +anna/u);
    expect(await command(['approve', 'run-1', '--as', 'ben'], wrong)).toMatchObject({ code: 1 });

    const next = { keys: [{ id: 'k3', secret: randomBytes(32) }, ...sealed.keys] };
    const rotated = host({}, next).runtime;
    expect((await command(['rotate-key'], rotated)).stdout).toMatch(/^3 steps are sealed anew/u);
    expect((await command(['rotate-key'], rotated)).stdout).toContain('Everything is sealed');
    expect((await command(['approve', 'run-1', '--as', 'ben'], rotated)).stdout).toContain(
      'The run is completed.',
    );
  });

  it('tells of each command, and prints a help that names them all', async () => {
    const { command } = await operatorWorld(databases);
    const { stdout, code } = await command(['--help']);
    expect(code).toBe(0);
    for (const name of [
      'migrate',
      'work',
      'reap',
      'runs',
      'show',
      'approve',
      'decline',
      'cancel',
      'requeue',
      'resolve',
      'purge',
      'rotate-key',
    ]) {
      expect(stdout).toMatch(new RegExp(`^  ${name} `, 'mu'));
      expect((await command([name, '--help'])).stdout).toContain(`Usage: toolwright-runtime ${name}`);
    }
    expect((await command(['--version'])).stdout).toMatch(/^\d+\.\d+\.\d+/u);
    expect((await command([])).stdout).toBe(stdout);
  });
});

describe('CREATE', () => {
  it('has a title that would turn a terminal red', () => {
    expect(JSON.stringify(CREATE)).toContain('\\u001b[31m');
  });
});
