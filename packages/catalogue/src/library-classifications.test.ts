import { beforeAll, describe, expect, it } from 'vitest';

import { prepareSqlParser } from './classify/sql.js';
import { loadCatalogue } from './load/load-catalogue.js';
import { abstractOf, constant, UNKNOWN, type AbstractValue } from './model/abstract-value.js';
import type { CallFacts } from './model/classification.js';

beforeAll(prepareSqlParser);

const catalogue = loadCatalogue();

/** `Client.new().query` as steps. */
function stepsOf(path: string): string[] {
  return path.split('.').flatMap((part) => {
    if (part === 'new()') return ['new()'];
    const calls = part.match(/\(\)/g)?.length ?? 0;
    return [part.replaceAll('()', ''), ...Array.from({ length: calls }, () => '()')].filter(
      (step) => step !== '',
    );
  });
}

function classify(module: string, path: string, args: readonly unknown[], facts: Partial<CallFacts> = {}) {
  return catalogue.classifyAt({ module, path: stepsOf(path) }, { arguments: args.map(asAbstract), ...facts });
}

function asAbstract(value: unknown): AbstractValue {
  return typeof value === 'object' && value !== null && 'kind' in value
    ? (value as AbstractValue)
    : abstractOf(value);
}

type Row = readonly [
  module: string,
  path: string,
  args: readonly unknown[],
  effect: string,
  converges: string,
];

const CALLS: readonly Row[] = [
  ['axios', 'default.get', ['/x'], 'none', 'yes'],
  ['axios', 'post', ['/items', {}], 'remote', 'no'],
  ['axios', 'default.create().post', ['/items', {}], 'remote', 'no'],
  ['axios', 'default.create().delete', ['/items/1'], 'remote', 'yes'],
  ['axios', 'default', [{ method: 'PUT', url: '/x/1' }], 'remote', 'yes'],
  ['axios', 'default.request', [{ url: '/x' }], 'none', 'yes'],
  ['axios', 'default.post', ['/search', { q: 1 }], 'none', 'yes'],
  ['got', 'default.post', ['https://a.example/items', { json: {} }], 'remote', 'no'],
  ['got', 'default', ['https://a.example'], 'none', 'yes'],
  ['got', 'got.extend().delete', ['x'], 'remote', 'yes'],
  ['ky', 'default.create().patch', ['x', { json: { a: 1 } }], 'remote', 'yes'],
  ['node-fetch', 'default', ['https://a.example/x', { method: 'DELETE' }], 'remote', 'yes'],
  ['undici', 'request', ['https://a.example/items', { method: 'POST' }], 'remote', 'no'],
  ['undici', 'Client.new().request', [{ path: '/x', method: 'GET' }], 'none', 'yes'],
  ['superagent', 'default.post', ['/items'], 'remote', 'no'],
  ['superagent', 'get', ['/items'], 'none', 'yes'],
  ['needle', 'default', ['post', '/items', {}], 'remote', 'no'],
  ['playwright', 'chromium.launch().newPage().goBack', [], 'remote', 'no'],
  ['playwright', 'chromium.launch().newPage().setDefaultTimeout', [1], 'session', 'yes'],
  ['playwright', 'chromium.launch().newContext().setDefaultTimeout', [1], 'session', 'yes'],
  ['playwright', 'chromium.launch().newPage().getByText().describe().hover', [], 'remote', 'yes'],
  ['cloudflare', 'default.new().kv.namespaces.list', [], 'none', 'yes'],
  ['cloudflare', 'default.new().d1.database.list', [], 'none', 'yes'],
  ['cloudflare', 'default.new().d1.database.create', [{ name: 'a' }], 'remote', 'no'],
  ['cloudflare', 'default.new().d1.database.query', ['1', { sql: 'SELECT 1' }], 'none', 'yes'],
  ['cloudflare', 'default.new().d1.database.query', ['1', { sql: 'DELETE FROM t' }], 'remote', 'yes'],
  ['openapi-fetch', 'default().GET', ['/items'], 'none', 'yes'],
  ['openapi-fetch', 'default().POST', ['/items', { body: {} }], 'remote', 'no'],
  ['openapi-fetch', 'default().PUT', ['/items/{id}', { body: {} }], 'remote', 'yes'],
  ['node:https', 'request', [{ method: 'POST', path: '/items' }], 'remote', 'no'],
  ['node:https', 'request', [{ path: '/items' }], 'none', 'yes'],
  ['https', 'get', ['https://a.example'], 'none', 'yes'],
  ['graphql-request', 'GraphQLClient.new().request', ['query { a }'], 'none', 'yes'],
  ['graphql-request', 'request', ['https://a.example', 'mutation { createIssue { id } }'], 'remote', 'no'],
  ['@apollo/client', 'ApolloClient.new().query', [{ query: UNKNOWN }], 'none', 'yes'],
  ['@apollo/client', 'ApolloClient.new().mutate', [{ mutation: UNKNOWN }], 'remote', 'unknown'],
  ['mongoose', 'default.model().findById().save', [], 'remote', 'unknown'],
  ['kysely', 'QueryCreator.new().deleteFrom', ['jobs'], 'remote', 'yes'],
  ['tsyringe', 'container.resolve', ['Store'], 'none', 'yes'],
  ['pg', 'Client.new().query', ['SELECT 1'], 'none', 'yes'],
  ['pg', 'default.Pool.new().query', ['INSERT INTO t VALUES ($1)', [1]], 'remote', 'no'],
  ['pg', 'Pool.new().query', [{ text: 'DELETE FROM t' }], 'remote', 'yes'],
  ['pg', 'Pool.new().connect().query', ['UPDATE t SET a = $1'], 'remote', 'yes'],
  ['mysql2/promise', 'createPool().execute', ['UPDATE t SET n = n + 1'], 'remote', 'no'],
  ['mysql2/promise', 'default.createConnection().query', ['SHOW TABLES'], 'none', 'yes'],
  ['better-sqlite3', 'default.new().exec', ['DROP TABLE t'], 'local', 'yes'],
  ['better-sqlite3', 'default.new().prepare', ['INSERT INTO t VALUES (?)'], 'none', 'yes'],
  ['better-sqlite3', 'default.new().pragma', ['journal_mode = WAL'], 'none', 'yes'],
  ['node:sqlite', 'DatabaseSync.new().exec', ['CREATE TABLE t (a)'], 'local', 'yes'],
  ['@libsql/client', 'createClient().execute', [{ sql: 'DELETE FROM t', args: [] }], 'remote', 'yes'],
  [
    '@libsql/client',
    'createClient().batch',
    [['SELECT 1', { sql: 'INSERT INTO t VALUES (1)' }]],
    'remote',
    'no',
  ],
  ['@planetscale/database', 'connect().execute', ['SELECT 1'], 'none', 'yes'],
  ['mssql', 'ConnectionPool.new().request().query', ['SELECT 1'], 'none', 'yes'],
  ['@google-cloud/bigquery', 'BigQuery.new().query', [{ query: 'SELECT 1' }], 'none', 'yes'],
  ['@prisma/client', 'PrismaClient.new().user.findMany', [{}], 'none', 'yes'],
  ['@prisma/client', 'PrismaClient.new().user.create', [{ data: {} }], 'remote', 'no'],
  ['@prisma/client', 'PrismaClient.new().user.update', [{ where: {}, data: { name: 'x' } }], 'remote', 'yes'],
  ['@prisma/client', 'PrismaClient.new().user.update', [{ data: { n: { increment: 1 } } }], 'remote', 'no'],
  ['@prisma/client', 'PrismaClient.new().user.upsert', [{ update: { a: 1 } }], 'remote', 'yes'],
  ['@prisma/client', 'PrismaClient.new().user.deleteMany', [], 'remote', 'yes'],
  ['@prisma/client', 'PrismaClient.new().$queryRawUnsafe', ['SELECT 1'], 'none', 'yes'],
  ['../generated/prisma/client.js', 'PrismaClient.new().post.create', [{}], 'remote', 'no'],
  ['drizzle-orm/node-postgres', 'drizzle().select', [], 'none', 'yes'],
  ['drizzle-orm/node-postgres', 'drizzle().insert', [UNKNOWN], 'remote', 'no'],
  ['drizzle-orm/libsql', 'drizzle().query.users.findMany', [], 'none', 'yes'],
  ['kysely', 'Kysely.new().selectFrom', ['t'], 'none', 'yes'],
  ['kysely', 'Kysely.new().insertInto', ['t'], 'remote', 'no'],
  ['kysely', 'Kysely.new().deleteFrom', ['t'], 'remote', 'yes'],
  ['kysely', 'Kysely.new().insertInto().values().execute', [], 'none', 'yes'],
  ['knex', 'default()().where().del', [], 'remote', 'yes'],
  ['knex', 'default()().insert', [{}], 'remote', 'no'],
  ['knex', 'default()().where().first', [], 'none', 'yes'],
  ['knex', 'knex().raw', ['select 1'], 'none', 'yes'],
  ['knex', 'knex()().increment', ['n'], 'remote', 'no'],
  ['typeorm', 'DataSource.new().getRepository().find', [], 'none', 'yes'],
  ['typeorm', 'DataSource.new().getRepository().save', [{}], 'remote', 'unknown'],
  ['typeorm', 'DataSource.new().getRepository().increment', [], 'remote', 'no'],
  ['sequelize', 'Sequelize.new().define().create', [{}], 'remote', 'no'],
  ['sequelize', 'Model.findAll', [], 'none', 'yes'],
  ['sequelize', 'Model.destroy', [], 'remote', 'yes'],
  ['mongoose', 'model().findOne', [{}], 'none', 'yes'],
  ['mongoose', 'default.model().create', [{}], 'remote', 'no'],
  ['mongoose', 'model().updateOne', [{}, { $set: { a: 1 } }], 'remote', 'yes'],
  ['mongoose', 'model().findOneAndUpdate', [{}, { $inc: { n: 1 } }], 'remote', 'no'],
  ['mongodb', 'MongoClient.new().db().collection().find().toArray', [], 'none', 'yes'],
  ['mongodb', 'MongoClient.new().db().collection().insertOne', [{ a: 1 }], 'remote', 'no'],
  ['mongodb', 'MongoClient.new().db().collection().insertOne', [{ _id: 'a' }], 'remote', 'yes'],
  ['mongodb', 'MongoClient.new().db().collection().updateMany', [{}, { $push: { a: 1 } }], 'remote', 'no'],
  ['mongodb', 'MongoClient.new().db().collection().aggregate', [[{ $match: {} }]], 'none', 'yes'],
  [
    'mongodb',
    'MongoClient.new().db().collection().aggregate',
    [[{ $match: {} }, { $out: 'x' }]],
    'remote',
    'unknown',
  ],
  ['mongodb', 'MongoClient.connect().db().command', [{ ping: 1 }], 'none', 'yes'],
  ['redis', 'createClient().get', ['k'], 'none', 'yes'],
  ['redis', 'createClient().set', ['k', 'v'], 'remote', 'yes'],
  ['ioredis', 'default.new().incr', ['k'], 'remote', 'no'],
  ['ioredis', 'Redis.new().pipeline().lpush', ['k', 'v'], 'remote', 'no'],
  ['redis', 'createClient().sendCommand', [['GET', 'k']], 'none', 'yes'],
  ['@supabase/supabase-js', 'createClient().from().select', ['*'], 'none', 'yes'],
  ['@supabase/supabase-js', 'createClient().from().insert', [{}], 'remote', 'no'],
  ['@supabase/supabase-js', 'createClient().from().update', [{}], 'remote', 'yes'],
  ['@supabase/supabase-js', 'createClient().from().select().eq().order', [], 'none', 'yes'],
  ['@supabase/supabase-js', 'createClient().auth.getUser', [], 'none', 'yes'],
  ['firebase-admin/firestore', 'getFirestore().collection().add', [{}], 'remote', 'no'],
  ['firebase-admin', 'firestore().collection().doc().get', [], 'none', 'yes'],
  ['firebase/firestore', 'setDoc', [UNKNOWN, { a: 1 }], 'remote', 'yes'],
  [
    '@aws-sdk/client-s3',
    'S3Client.new().send',
    [command('@aws-sdk/client-s3', 'PutObjectCommand')],
    'remote',
    'yes',
  ],
  [
    '@aws-sdk/client-s3',
    'S3Client.new().send',
    [command('@aws-sdk/client-s3', 'GetObjectCommand')],
    'none',
    'yes',
  ],
  [
    '@aws-sdk/client-sqs',
    'SQSClient.new().send',
    [command('@aws-sdk/client-sqs', 'SendMessageCommand')],
    'remote',
    'no',
  ],
  [
    '@aws-sdk/client-ec2',
    'EC2Client.new().send',
    [command('@aws-sdk/client-ec2', 'DescribeInstancesCommand')],
    'none',
    'yes',
  ],
  [
    '@aws-sdk/client-ec2',
    'EC2Client.new().send',
    [command('@aws-sdk/client-ec2', 'TerminateInstancesCommand')],
    'remote',
    'yes',
  ],
  [
    '@aws-sdk/lib-dynamodb',
    'DynamoDBDocumentClient.from().send',
    [command('@aws-sdk/lib-dynamodb', 'UpdateCommand', { UpdateExpression: 'ADD n :x' })],
    'remote',
    'no',
  ],
  [
    '@aws-sdk/lib-dynamodb',
    'DynamoDBDocumentClient.from().send',
    [command('@aws-sdk/lib-dynamodb', 'UpdateCommand', { UpdateExpression: 'SET n = :x' })],
    'remote',
    'yes',
  ],
  ['aws-sdk', 'default.S3.new().putObject', [{}], 'remote', 'yes'],
  ['@google-cloud/storage', 'Storage.new().bucket().file().save', ['x'], 'remote', 'yes'],
  ['@google-cloud/pubsub', 'PubSub.new().topic().publishMessage', [{}], 'remote', 'no'],
  [
    '@azure/storage-blob',
    'BlobServiceClient.fromConnectionString().getContainerClient().deleteBlob',
    ['x'],
    'remote',
    'yes',
  ],
  ['googleapis', 'google.gmail().users.messages.send', [{}], 'remote', 'no'],
  ['googleapis', 'google.drive().files.list', [{}], 'none', 'yes'],
  ['googleapis', 'google.calendar().events.insert', [{}], 'remote', 'no'],
  ['@octokit/rest', 'Octokit.new().rest.issues.create', [{}], 'remote', 'no'],
  ['@octokit/rest', 'Octokit.new().issues.listForRepo', [{}], 'none', 'yes'],
  ['@octokit/rest', 'Octokit.new().rest.pulls.merge', [{}], 'remote', 'yes'],
  ['octokit', 'Octokit.new().request', ['POST /repos/{owner}/{repo}/issues', {}], 'remote', 'no'],
  ['octokit', 'Octokit.new().request', ['GET /user'], 'none', 'yes'],
  ['octokit', 'Octokit.new().graphql', ['mutation { addStar { id } }'], 'remote', 'no'],
  ['@slack/web-api', 'WebClient.new().chat.postMessage', [{}], 'remote', 'no'],
  ['@slack/web-api', 'WebClient.new().conversations.history', [{}], 'none', 'yes'],
  ['@slack/web-api', 'WebClient.new().apiCall', ['conversations.list'], 'none', 'yes'],
  ['@notionhq/client', 'Client.new().pages.create', [{}], 'remote', 'no'],
  ['@notionhq/client', 'Client.new().databases.query', [{}], 'none', 'yes'],
  ['@notionhq/client', 'Client.new().blocks.children.append', [{}], 'remote', 'no'],
  ['stripe', 'default.new().customers.create', [{}], 'remote', 'no'],
  ['stripe', 'default.new().checkout.sessions.list', [], 'none', 'yes'],
  ['stripe', 'default.new().webhooks.constructEvent', [], 'none', 'yes'],
  ['twilio', 'default().messages.create', [{}], 'remote', 'no'],
  ['twilio', 'default().calls().fetch', [], 'none', 'yes'],
  ['nodemailer', 'createTransport().sendMail', [{}], 'remote', 'no'],
  ['resend', 'Resend.new().emails.send', [{}], 'remote', 'no'],
  ['@linear/sdk', 'LinearClient.new().createIssue', [{}], 'remote', 'no'],
  ['@linear/sdk', 'LinearClient.new().issues', [{}], 'none', 'yes'],
  ['@kubernetes/client-node', 'KubeConfig.new().makeApiClient().listNamespacedPod', [{}], 'none', 'yes'],
  ['@kubernetes/client-node', 'KubeConfig.new().makeApiClient().deleteNamespacedPod', [{}], 'remote', 'yes'],
  ['dockerode', 'default.new().getContainer().inspect', [], 'none', 'yes'],
  ['dockerode', 'default.new().getContainer().remove', [], 'local', 'yes'],
  ['simple-git', 'simpleGit().status', [], 'none', 'yes'],
  ['simple-git', 'default().push', [], 'remote', 'yes'],
  ['simple-git', 'simpleGit().raw', [['commit', '-m', 'x']], 'local', 'no'],
  ['execa', 'execa', ['git', ['status']], 'none', 'yes'],
  ['execa', 'execa', ['git', ['push']], 'remote', 'yes'],
  ['cross-spawn', 'default.sync', ['npm', ['install']], 'local', 'yes'],
  ['shelljs', 'default.exec', ['rm -rf build'], 'local', 'yes'],
  ['shelljs', 'cat', ['x'], 'none', 'yes'],
  ['rimraf', 'rimraf', ['build'], 'local', 'yes'],
  ['playwright', 'chromium.launch().newPage().goto', ['x'], 'none', 'yes'],
  ['playwright', 'chromium.launch().newPage().click', ['x'], 'remote', 'no'],
  ['playwright', 'chromium.launch().newPage().screenshot', [], 'none', 'yes'],
  ['playwright', 'chromium.launch().newPage().screenshot', [{ path: 'a.png' }], 'local', 'yes'],
  ['puppeteer', 'default.launch().newPage().pdf', [{ path: '/tmp/a.pdf' }], 'none', 'yes'],
  ['openai', 'default.new().chat.completions.create', [{}], 'none', 'yes'],
  ['openai', 'default.new().files.create', [{}], 'remote', 'no'],
  ['@anthropic-ai/sdk', 'default.new().messages.create', [{}], 'none', 'yes'],
  [
    '@modelcontextprotocol/sdk/server/mcp.js',
    'McpServer.new().server.sendLoggingMessage',
    [{}],
    'none',
    'yes',
  ],
  ['@modelcontextprotocol/sdk/client/index.js', 'Client.new().listTools', [], 'none', 'yes'],
  ['pino', 'default().info', ['x'], 'none', 'yes'],
  ['winston', 'createLogger().error', ['x'], 'none', 'yes'],
  ['debug', 'default()', ['x'], 'none', 'yes'],
  ['@opentelemetry/api', 'trace.getTracer().startActiveSpan', [], 'none', 'yes'],
  ['posthog-node', 'PostHog.new().capture', [{}], 'none', 'yes'],
  ['lru-cache', 'LRUCache.new().set', ['a', 1], 'none', 'yes'],
  ['zod', 'z.object().strict().parse', [{}], 'none', 'yes'],
  ['lodash', 'default.map', [[], () => 1], 'none', 'yes'],
  ['date-fns', 'format', [], 'none', 'yes'],
  ['uuid', 'v4', [], 'none', 'yes'],
  ['nanoid', 'nanoid', [], 'none', 'yes'],
  ['cheerio', 'load()().text', [], 'none', 'yes'],
  ['yaml', 'default.parse', ['a: 1'], 'none', 'yes'],
  ['chalk', 'default.red.bold', ['x'], 'none', 'yes'],
  ['jsonwebtoken', 'default.sign', [{}], 'none', 'yes'],
  ['p-limit', 'default()', [() => 1], 'none', 'yes'],
  ['p-retry', 'default', [() => 1], 'none', 'yes'],
  ['bullmq', 'Queue.new().add', ['x', {}], 'remote', 'no'],
  ['kafkajs', 'Kafka.new().producer().send', [{}], 'remote', 'no'],
  ['ws', 'default.new().send', ['x'], 'remote', 'no'],
  ['payload', 'getPayload().create', [{}], 'remote', 'no'],
  ['payload', 'getPayload().find', [{}], 'none', 'yes'],
  ['@elastic/elasticsearch', 'Client.new().index', [{ index: 'a', document: {} }], 'remote', 'no'],
  ['@elastic/elasticsearch', 'Client.new().index', [{ index: 'a', id: '1', document: {} }], 'remote', 'yes'],
  ['@elastic/elasticsearch', 'Client.new().search', [{}], 'none', 'yes'],
];

function command(module: string, name: string, input: unknown = {}): AbstractValue {
  return { kind: 'made', module, path: [name], arguments: [abstractOf(input)] };
}

describe('library calls', () => {
  it.each(CALLS)('%s %s(%j)', (module, path, args, effect, converges) => {
    const found = classify(module, path, args, { chain: [] });
    expect({ effect: found?.effect, certainty: found?.certainty }).toEqual({ effect, certainty: 'always' });
    expect(found?.converges).toBe(converges);
    expect(found?.source).toMatch(/^https:\/\//);
  });

  it.each([
    ['@modelcontextprotocol/sdk/client/index.js', 'Client.new().callTool'],
    ['@supabase/supabase-js', 'createClient().rpc'],
    ['@aws-sdk/client-lambda', 'LambdaClient.new().send'],
    ['playwright', 'chromium.launch().newPage().evaluate'],
    ['node:vm', 'runInNewContext'],
    ['node:child_process', 'fork'],
    ['mssql', 'Request.new().execute'],
  ])('%s %s can not be decided', (module, path) => {
    const argument = module.includes('lambda') ? command(module, 'InvokeCommand') : UNKNOWN;
    expect(classify(module, path, [argument])).toMatchObject({ effect: 'unknown', certainty: 'undecided' });
  });

  it('reads the statement off the call that prepared it', () => {
    const prepared = (sql: string): AbstractValue => ({
      kind: 'made',
      module: 'better-sqlite3',
      path: ['default', 'new()', 'prepare'],
      arguments: [constant(sql)],
    });
    const run = (name: string, receiver: AbstractValue) =>
      classify('better-sqlite3', `default.new().prepare().${name}`, [], { receiver });
    expect(run('run', prepared('INSERT INTO t VALUES (?)'))).toMatchObject({
      effect: 'local',
      converges: 'no',
    });
    expect(run('all', prepared('SELECT * FROM t'))).toMatchObject({ effect: 'none' });
    expect(run('get', prepared('INSERT INTO t VALUES (?) RETURNING id'))).toMatchObject({ effect: 'local' });
  });

  it('takes the holes of a tagged query for parameters', () => {
    const text: AbstractValue = {
      kind: 'template',
      parts: [constant('SELECT * FROM t WHERE id = '), UNKNOWN],
    };
    expect(classify('postgres', 'default()', [text], { isTagged: true })).toMatchObject({
      effect: 'none',
      confidence: 'proven',
    });
    expect(classify('@neondatabase/serverless', 'neon()', [text], { isTagged: true })).toMatchObject({
      effect: 'none',
    });
  });

  it('makes a fragment when a tag is called as a function or begins no statement', () => {
    expect(classify('postgres', 'default()', [{ a: 1 }])).toMatchObject({ effect: 'none', kind: 'pure' });
    const where: AbstractValue = { kind: 'template', parts: [constant('AND a = '), UNKNOWN] };
    expect(classify('postgres', 'default()', [where], { isTagged: true })).toMatchObject({ effect: 'none' });
  });

  it('converges under an idempotency key that stays the same', () => {
    const create = (key: AbstractValue) =>
      classify('stripe', 'default.new().customers.create', [
        {},
        { kind: 'object', properties: { idempotencyKey: key }, isOpen: false } satisfies AbstractValue,
      ]);
    expect(create({ kind: 'input', path: 'id' })?.converges).toBe('yes');
    expect(create({ kind: 'made', module: 'uuid', path: ['v4'], arguments: [] })?.converges).toBe('no');
  });

  it('converges when the chain says what a conflict does', () => {
    const insert = (name: string) =>
      classify('drizzle-orm/node-postgres', 'drizzle().insert', [UNKNOWN], {
        chain: [
          { name: 'values', arguments: [] },
          { name, arguments: [] },
        ],
      });
    expect(insert('onConflictDoNothing')).toMatchObject({ converges: 'yes', kind: 'ensure' });
    expect(insert('returning')).toMatchObject({ converges: 'no' });
  });

  it('does not converge for certain when a column is set by an expression', () => {
    const expression: AbstractValue = {
      kind: 'made',
      module: 'drizzle-orm',
      path: ['sql'],
      arguments: [UNKNOWN],
    };
    const update = (value: AbstractValue) =>
      classify('drizzle-orm/node-postgres', 'drizzle().update', [UNKNOWN], {
        chain: [{ name: 'set', arguments: [{ kind: 'object', properties: { n: value }, isOpen: false }] }],
      });
    expect(update(expression)).toMatchObject({ effect: 'remote', converges: 'unknown' });
    expect(update({ kind: 'input', path: 'n' })).toMatchObject({ effect: 'remote', converges: 'yes' });
  });

  it('passes the transaction on', () => {
    const value = catalogue.valueAt({
      module: '@prisma/client',
      path: ['PrismaClient', 'new()', '$transaction'],
    });
    const passed = value && catalogue.passed(value);
    const create = passed && catalogue.stepInto(catalogue.stepInto(passed, 'user') ?? passed, 'create');
    expect(create && catalogue.classify(create, { arguments: [] })).toMatchObject({
      effect: 'remote',
      converges: 'no',
    });
  });

  it('finds the methods of declared types', () => {
    const rows = [
      ['pg', 'PoolClient', 'query'],
      ['drizzle-orm/node-postgres', 'NodePgDatabase', 'insert'],
      ['@supabase/supabase-js', 'SupabaseClient', 'rpc'],
      ['axios', 'AxiosInstance', 'post'],
      ['mongodb', 'Collection', 'insertOne'],
      ['typeorm', 'Repository', 'save'],
      ['playwright', 'Page', 'click'],
      ['stripe', 'Stripe', 'customers'],
      ['express', 'Response', 'json'],
    ] as const;
    for (const [module, instanceOf, member] of rows) {
      expect(
        catalogue.valueAt({ module, instanceOf, path: [member] }),
        `${module} ${instanceOf}`,
      ).not.toBeNull();
    }
  });
});

describe('names alone', () => {
  it.each([
    ['createIssue', 'remote', 'no'],
    ['updateUser', 'remote', 'yes'],
    ['deleteAll', 'remote', 'yes'],
    ['findOneAndUpdate', 'remote', 'yes'],
    ['findOrCreate', 'remote', 'yes'],
    ['sendMessage', 'remote', 'no'],
    ['incrementCounter', 'remote', 'no'],
    ['archiveProject', 'remote', 'yes'],
    ['issueCreate', 'remote', 'no'],
    ['user.delete', 'remote', 'yes'],
    ['bulkUpdate', 'remote', 'yes'],
    ['listIssues', 'none', 'yes'],
    ['getUserById', 'none', 'yes'],
    ['searchEvents', 'none', 'yes'],
    ['createClient', 'none', 'yes'],
    ['setHeader', 'none', 'yes'],
    ['close', 'none', 'yes'],
    ['toUpperCase', 'none', 'yes'],
    ['map', 'none', 'yes'],
    ['parseDate', 'none', 'yes'],
    ['isEmpty', 'none', 'yes'],
    ['captureException', 'none', 'yes'],
    ['addBreadcrumb', 'none', 'yes'],
    ['trackEvent', 'none', 'yes'],
    ['capturePayment', 'remote', 'no'],
    ['writeToString', 'none', 'yes'],
    ['writeToBuffer', 'none', 'yes'],
    ['writeToPath', 'remote', 'yes'],
  ])('%s', (name, effect, converges) => {
    expect(catalogue.classifyByName(name)).toMatchObject({
      effect,
      converges,
      confidence: 'by-name',
      certainty: 'always',
    });
  });

  it.each([
    ['ensureArray', 'none'],
    ['ensureIndex', 'remote'],
    ['keyValueStore', 'none'],
    ['storeValue', 'remote'],
    ['sendToolListChanged', 'none'],
    ['sendList', 'remote'],
  ])('%s has effect %s', (name, effect) => {
    expect(catalogue.classifyByName(name).effect).toBe(effect);
  });

  it.each([
    ['telemetryService', 'sendEvent', 'none'],
    ['logger', 'updateLevel', 'none'],
    ['metrics', 'increment', 'none'],
    ['metrics', 'createMetric', 'remote'],
    ['lruCache', 'delete', 'session'],
    ['cache', 'purgeEverything', 'session'],
    ['configFactory', 'create', 'none'],
    ['client', 'create', 'remote'],
    ['cachet', 'delete', 'remote'],
  ])('%s.%s has effect %s', (receiver, name, effect) => {
    expect(catalogue.classifyByName(name, 'remote', receiver)).toMatchObject({
      effect,
      confidence: 'by-name',
    });
  });

  it.each(['run', 'execute', 'frobnicate', 'issue', 'handleRequest', '', 'x'])('%s says nothing', (name) => {
    expect(catalogue.classifyByName(name)).toMatchObject({ effect: 'unknown', certainty: 'undecided' });
  });
});
