/**
 * What the safe content handler adds to a create in Payload: the median of `payload.create` on a Payload that is
 * not observed against that of the writer, with the same access control and the same user, on SQLite files of
 * their own. Each round creates one record on every side, so that a machine that is busy is busy for all; the
 * order turns. The bar is 1.15 for a collection without versions; a miss ends with exit code 1.
 *
 * `pnpm bench:content [rounds]`.
 */
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sqliteAdapter } from '@payloadcms/db-sqlite';
import { payloadContent, usersOf, type FindActingUser } from '@toolwright/payload';
import { buildConfig, getPayload, type CollectionConfig, type Payload, type TypedUser } from 'payload';

const MAX_RATIO = 1.15;
const WARM_UP = 30;
const rounds = Number(process.argv[2] ?? 300);

// As many hooks as an installation with a search index, a cache and a log has.
const hook = (): undefined => undefined;
const hooks: NonNullable<CollectionConfig['hooks']> = {
  beforeChange: [({ data }) => data],
  afterChange: [hook, hook, hook],
  afterRead: [hook],
};
const fields: CollectionConfig['fields'] = [
  { name: 'title', type: 'text', hooks: { afterChange: [hook] } },
  { name: 'description', type: 'textarea' },
  { name: 'count', type: 'number' },
  { name: 'tags', type: 'array', fields: [{ name: 'tag', type: 'text' }] },
];
const DATA = {
  title: 'A page',
  description: 'What it is about. '.repeat(20),
  count: 7,
  tags: [{ tag: 'one' }, { tag: 'two' }],
};

type Create = (collection: string) => Promise<unknown>;

// Otherwise the second Payload of a process takes the schema of the first for its own, and makes no tables.
process.env['PAYLOAD_FORCE_DRIZZLE_PUSH'] = 'true';
const folder = await mkdtemp(path.join(tmpdir(), 'toolwright-bench-content-'));
try {
  const sides: readonly (readonly [string, Create])[] = [
    ['raw', await rawCreate('raw')],
    ['safe', await safeCreate('safe', (_payload, user) => () => user)],
    ['safe, user looked up', await safeCreate('lookup', (payload) => usersOf(payload, 'users'))],
  ];
  let isMissed = false;
  for (const collection of ['plain', 'versioned']) {
    const medians = await measured(sides, collection);
    const raw = medians.get('raw') ?? Number.NaN;
    console.log(`${collection}: create, median of ${String(rounds)}`);
    for (const [name, median] of medians) {
      console.log(`  ${name.padEnd(22)} ${median.toFixed(2)} ms  ${(median / raw).toFixed(3)}`);
    }
    isMissed ||= collection === 'plain' && (medians.get('safe') ?? Number.NaN) / raw > MAX_RATIO;
  }
  console.log(isMissed ? `missed: more than ${String(MAX_RATIO)} for plain` : 'within the bar');
  process.exitCode = isMissed ? 1 : 0;
} finally {
  await rm(folder, { recursive: true, force: true });
}
// Payload keeps its connections open.
process.exit();

async function measured(
  sides: readonly (readonly [string, Create])[],
  collection: string,
): Promise<ReadonlyMap<string, number>> {
  const times = new Map(sides.map(([name]) => [name, [] as number[]]));
  for (let round = 0; round < rounds + WARM_UP; round += 1) {
    for (let turn = 0; turn < sides.length; turn += 1) {
      const [name, create] = sides[(round + turn) % sides.length] ?? ['', () => Promise.resolve()];
      const start = performance.now();
      await create(collection);
      const took = performance.now() - start;
      if (round >= WARM_UP) {
        times.get(name)?.push(took);
      }
    }
  }
  return new Map([...times].map(([name, values]) => [name, median(values)]));
}

async function rawCreate(name: string): Promise<Create> {
  const { payload, user } = await open(name);
  return (collection) => payload.create({ collection, data: DATA, overrideAccess: false, user });
}

async function safeCreate(
  name: string,
  finderOf: (payload: Payload, user: TypedUser) => FindActingUser,
): Promise<Create> {
  const { payload, user } = await open(name);
  const { writer } = payloadContent(payload, { actingUser: finderOf(payload, user) }).open({
    actor: { id: String(user.id) },
    runId: 'bench',
    callId: 'bench',
    signal: new AbortController().signal,
  });
  return (collection) => writer.create(collection, DATA);
}

async function open(name: string): Promise<{ readonly payload: Payload; readonly user: TypedUser }> {
  const collection = (slug: string): CollectionConfig => ({ slug, fields, hooks });
  const config = await buildConfig({
    secret: randomUUID(),
    telemetry: false,
    typescript: { autoGenerate: false },
    logger: { options: { level: 'silent' } },
    db: sqliteAdapter({ client: { url: `file:${path.join(folder, `${name}.db`)}` }, push: true }),
    collections: [
      { slug: 'users', auth: true, fields: [] },
      collection('plain'),
      { ...collection('versioned'), versions: { drafts: true, maxPerDoc: 0 } },
    ],
  });
  const payload = await getPayload({ config, key: name });
  const user = await payload.create({
    collection: 'users',
    data: { email: 'bench@example.com', password: randomUUID() },
  });
  return { payload, user: { ...user, collection: 'users' } as unknown as TypedUser };
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
