import type { WriteTarget } from '@toolwright/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startMarkedSystem, type MarkedSystem } from '../fixtures/marked-writes.js';
import { runTools, type MadeCall, type RunningTools, type ToolCall } from '../fixtures/running-tools.js';
import { toolwrightHistory } from './toolwright-history.js';

type Data = Readonly<Record<string, unknown>>;

/** What happens in the cases: runs of tools, and people at the same content system. */
class Story {
  readonly #system: MarkedSystem;
  readonly #tools: RunningTools;

  constructor(system: MarkedSystem, tools: RunningTools) {
    this.#system = system;
    this.#tools = tools;
  }

  run(...calls: readonly ToolCall[]): Promise<readonly MadeCall[]> {
    return this.#tools.run(...calls);
  }

  async draft(data: Data, table = 'pages'): Promise<MadeCall> {
    return this.call({ tool: 'create_record', table, data, options: { draft: true } });
  }

  async change({ table, uid }: WriteTarget, data: Data, options: Data = { draft: true }): Promise<MadeCall> {
    return this.call({ tool: 'update_record', table, uid, data, options });
  }

  async call(call: ToolCall): Promise<MadeCall> {
    const [made] = await this.run(call);
    return made!;
  }

  save({ target }: Pick<MadeCall, 'target'>, data: Data, options: Data = {}): Promise<void> {
    return this.#system.save(target, data, options);
  }

  release(made: Pick<MadeCall, 'target'>, data: Data = {}, options: Data = {}): Promise<void> {
    return this.save(made, { ...data, _status: 'published' }, options);
  }

  async remove({ target: { table, uid } }: Pick<MadeCall, 'target'>): Promise<void> {
    await this.#system.payload.delete({ collection: table, id: uid });
  }

  /** A record that a person published. */
  async published(data: Data, table = 'pages'): Promise<{ readonly target: WriteTarget }> {
    const { target } = await this.draft({}, table);
    await this.release({ target }, data);
    return { target };
  }

  async restoreVersion({ target }: Pick<MadeCall, 'target'>, index: number): Promise<void> {
    const versions = await this.#system.versions(target);
    await this.#system.payload.restoreVersion({
      collection: target.table,
      id: String(versions.at(index)!.id),
    });
  }

  async nextGetsIdOf({ target }: Pick<MadeCall, 'target'>): Promise<void> {
    await this.#system.giveIdAgain(target);
    const next = await this.#system.payload.create({ collection: target.table, data: { body: 'other' } });
    expect(next.id).toBe(target.uid);
  }
}

const TRASH = { deletedAt: new Date(0).toISOString() };

type Case = readonly [name: string, expected: string, story: (story: Story) => Promise<MadeCall>];

const CASES: readonly Case[] = [
  ['nothing happened yet (a0)', 'undecided', async (s) => s.draft({ body: 'x' })],
  [
    'it was released untouched (a)',
    'accepted_unchanged: released_unchanged',
    async (s) => {
      const made = await s.draft({ title: 'A', body: 'x' });
      await s.release(made);
      return made;
    },
  ],
  [
    'it was changed with its release (b)',
    'edited: released_changed',
    async (s) => {
      const made = await s.draft({ body: 'x' });
      await s.release(made, { body: 'y' });
      return made;
    },
  ],
  [
    'it was changed in a draft, then released (b2)',
    'edited: released_changed',
    async (s) => {
      const made = await s.draft({ body: 'x' });
      await s.save(made, { body: 'y' }, { draft: true });
      await s.release(made);
      return made;
    },
  ],
  [
    'it was deleted (c)',
    'discarded: deleted',
    async (s) => {
      const made = await s.draft({ body: 'x' });
      await s.remove(made);
      return made;
    },
  ],
  [
    'it was deleted, and its id belongs to the next record (c2)',
    'unknown: uid_reused',
    async (s) => {
      const made = await s.draft({ body: 'x' });
      await s.remove(made);
      await s.nextGetsIdOf(made);
      return made;
    },
  ],
  [
    'its version was purged, and the content changed (d)',
    'unknown: purged',
    async (s) => {
      const made = await s.draft({ body: '0' }, 'few');
      for (const body of ['1', '2', '3', '4']) {
        await s.save(made, { body }, { draft: true });
      }
      await s.release(made);
      return made;
    },
  ],
  [
    'its version was purged, and the content is still the same (e)',
    'unknown: purged',
    async (s) => {
      const made = await s.draft({ body: 'same' }, 'few');
      for (let count = 0; count < 4; count += 1) {
        await s.release(made);
      }
      return made;
    },
  ],
  [
    'it was put into the trash (f)',
    'discarded: deleted',
    async (s) => {
      const made = await s.draft({ body: 'x' });
      await s.save(made, TRASH);
      return made;
    },
  ],
  [
    'the version before it was restored (g)',
    'discarded: released_as_before',
    async (s) => {
      const { target } = await s.published({ body: 'before' });
      const made = await s.change(target, { body: 'tool' });
      await s.restoreVersion(made, -2);
      return made;
    },
  ],
  [
    'a collection without drafts released it by itself (h)',
    'undecided',
    async (s) => s.call({ tool: 'create_record', table: 'at-once', data: { body: 'H' } }),
  ],
  [
    'it was edited in a collection without drafts (h2)',
    'edited: released_changed',
    async (s) => {
      const made = await s.call({ tool: 'create_record', table: 'at-once', data: { body: 'H' } });
      await s.save(made, { body: 'H2' });
      return made;
    },
  ],
  [
    'the tool published it, and it was taken back (i)',
    'undecided',
    async (s) => {
      const data = { body: 'I', _status: 'published' };
      const made = await s.call({ tool: 'create_record', table: 'pages', data });
      await s.save(made, { _status: 'draft' }, { unpublishAllLocales: true });
      return made;
    },
  ],
  [
    'somebody typed with autosave, and released it (j)',
    'edited: released_changed',
    async (s) => {
      const made = await s.draft({ body: 'J' }, 'typed');
      await s.save(made, { body: 'J typed' }, { draft: true, autosave: true });
      await s.save(made, { body: 'J typed more' }, { draft: true, autosave: true });
      await s.release(made);
      return made;
    },
  ],
  [
    'another locale was edited and released with it (k)',
    'accepted_unchanged: released_unchanged',
    async (s) => {
      const { target } = await s.published({ title: 'en' });
      const made = await s.change(target, { title: 'de' }, { draft: true, locale: 'de' });
      await s.release(made, { title: 'en edited' }, { locale: 'en' });
      return made;
    },
  ],
  [
    'its own locale was edited (k2)',
    'edited: released_changed',
    async (s) => {
      const { target } = await s.published({ title: 'en' });
      const made = await s.change(target, { title: 'de' }, { draft: true, locale: 'de' });
      await s.release(made, { title: 'de!' }, { locale: 'de' });
      return made;
    },
  ],
  [
    'the same run edited it, and a person released that',
    'undecided',
    async (s) => {
      const made = await s.draft({ body: 'x' });
      const { table, uid } = made.target;
      const [first] = await s.run(
        { tool: 'update_record', table, uid, data: { body: 'y' }, options: { draft: true } },
        { tool: 'update_record', table, uid, data: { body: 'z' }, options: { draft: true } },
      );
      await s.release(made);
      return first!;
    },
  ],
  [
    'another tool’s run edited it, and a person released that',
    'undecided',
    async (s) => {
      const made = await s.draft({ body: 'x' });
      await s.change(made.target, { body: 'y' });
      await s.release(made);
      return made;
    },
  ],
  [
    'another tool’s run released it',
    'undecided',
    async (s) => {
      const made = await s.draft({ body: 'x' });
      await s.change(made.target, { _status: 'published' }, {});
      return made;
    },
  ],
  [
    'another tool’s run deleted it',
    'undecided',
    async (s) => {
      const made = await s.draft({ body: 'x' });
      const { table, uid } = made.target;
      await s.call({ tool: 'delete_record', table, uid });
      return made;
    },
  ],
  [
    'it was edited, and reverted before the release',
    'accepted_unchanged: released_unchanged',
    async (s) => {
      const made = await s.draft({ body: 'x' });
      await s.save(made, { body: 'y' }, { draft: true });
      await s.save(made, { body: 'x' }, { draft: true });
      await s.release(made);
      return made;
    },
  ],
  [
    'it was released, and edited afterwards',
    'accepted_unchanged: released_unchanged',
    async (s) => {
      const made = await s.draft({ body: 'x' });
      await s.release(made);
      await s.release(made, { body: 'y' });
      return made;
    },
  ],
  [
    'it was released, and deleted afterwards',
    'accepted_unchanged: released_unchanged',
    async (s) => {
      const made = await s.draft({ body: 'x' });
      await s.release(made);
      await s.remove(made);
      return made;
    },
  ],
  [
    'it was put into the trash, and taken out of it',
    'discarded: deleted',
    async (s) => {
      const made = await s.draft({ body: 'x' });
      await s.save(made, TRASH);
      await s.save(made, { deletedAt: null }, { trash: true });
      return made;
    },
  ],
  [
    'it was released, and taken back',
    'accepted_unchanged: released_unchanged',
    async (s) => {
      const made = await s.draft({ body: 'x' });
      await s.release(made);
      await s.save(made, { _status: 'draft' }, { unpublishAllLocales: true });
      return made;
    },
  ],
  [
    'somebody types with autosave, and released nothing',
    'undecided',
    async (s) => {
      const made = await s.draft({ body: 'J' }, 'typed');
      await s.save(made, { body: 'J typed' }, { draft: true, autosave: true });
      return made;
    },
  ],
  [
    'an older version was restored that is not the one before it',
    'edited: released_changed',
    async (s) => {
      const { target } = await s.published({ body: 'older' });
      await s.release({ target }, { body: 'before' });
      const made = await s.change(target, { body: 'tool' });
      await s.restoreVersion(made, -3);
      return made;
    },
  ],
  [
    'only another locale was released',
    'undecided',
    async (s) => {
      const { target } = await s.published({ title: 'en' });
      const made = await s.change(target, { title: 'de' }, { draft: true, locale: 'de' });
      await s.release(made, { title: 'en!' }, { publishSpecificLocale: 'en' });
      return made;
    },
  ],
  [
    'the tool deleted a record',
    'undecided',
    async (s) => {
      const { target } = await s.published({ body: 'x' });
      return s.call({ tool: 'delete_record', table: target.table, uid: target.uid });
    },
  ],
  [
    'what the tool put into the trash was taken out of it',
    'discarded: restored_as_before',
    async (s) => {
      const { target } = await s.published({ body: 'x' });
      const made = await s.change(target, TRASH, {});
      await s.save(made, { deletedAt: null }, { trash: true });
      return made;
    },
  ],
  [
    'there are no versions',
    'unknown: no_mark',
    async (s) => s.call({ tool: 'create_record', table: 'bare', data: { body: 'x' } }),
  ],
];

describe.each(['sqlite', 'postgres'] as const)('an outcome derived from Payload with %s', (dialect) => {
  let system: MarkedSystem;
  let tools: RunningTools;
  let story: Story;

  beforeAll(async () => {
    system = await startMarkedSystem(dialect, [toolwrightHistory()]);
    tools = runTools(system);
    story = new Story(system, tools);
  });
  afterAll(() => system.stop());

  const observed = async ({ key }: MadeCall) => (await tools.outcomes.ofCall(key))[0]?.observed ?? null;
  const lineOf = async (made: MadeCall): Promise<string> => {
    const outcome = await observed(made);
    return outcome === null ? 'undecided' : `${outcome.value}: ${outcome.reason}`;
  };

  it.each(CASES)('is right when %s, and stays so', async (_name, expected, tell) => {
    const made = await tell(story);
    expect(await tools.outcomes.derive()).toMatchObject({ failed: 0 });
    expect(await lineOf(made)).toBe(expected);
    const first = await observed(made);
    expect(await tools.outcomes.derive()).toMatchObject({ failed: 0 });
    expect((await observed(made))?.entries).toEqual(first?.entries);
    expect(await lineOf(made)).toBe(expected);
  });

  it('is one of each record that a run wrote', async () => {
    const create = (body: string): ToolCall => ({
      tool: 'create_record',
      table: 'pages',
      data: { body },
      options: { draft: true },
    });
    const made = await story.run(create('one'), create('two'), create('three'));
    await story.release(made[0]!);
    await story.release(made[1]!, { body: 'two!' });
    await tools.outcomes.derive();
    expect(await Promise.all(made.map(lineOf))).toEqual([
      'accepted_unchanged: released_unchanged',
      'edited: released_changed',
      'undecided',
    ]);
  });

  it('is never a wrong one when it is derived during changes', async () => {
    const made = await Promise.all(['1', '2', '3'].map((body) => story.draft({ body })));
    let isChanging = true;
    const changing = (async () => {
      for (const one of made) {
        await story.save(one, { body: 'edited' }, { draft: true });
        await story.release(one);
        await story.remove(one);
      }
      isChanging = false;
    })();
    const seen = new Set<string>();
    while (isChanging) {
      await tools.outcomes.derive();
      for (const one of made) {
        seen.add(await lineOf(one));
      }
    }
    await changing;
    await tools.outcomes.derive();
    for (const one of made) {
      seen.add(await lineOf(one));
    }
    // Once a record is gone its versions have no content any more, and what was released with them is not made up.
    const possible = [
      'undecided',
      'edited: released_changed',
      'unknown: content_unknown',
      'unknown: author_unknown',
    ];
    expect([...seen].filter((line) => !possible.includes(line))).toEqual([]);
  });
});
