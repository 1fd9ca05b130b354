import { reads, writes, cannotSay, type Judgement } from './judgement.js';

/**
 * Functions that a query can call and that do more than compute. From PostgreSQL's "System
 * Administration Functions", "Sequence Manipulation Functions" and "Large Objects", MySQL's "Locking
 * Functions", SQLite's "Core Functions", and the extensions pg_cron, pgmq, pg_net, dblink.
 */
const WRITING_FUNCTIONS: Readonly<
  Record<string, 'increment' | 'set' | 'send' | 'create' | 'delete' | 'run' | 'pop'>
> = {
  nextval: 'increment',
  setval: 'set',
  pg_notify: 'send',
  pg_terminate_backend: 'delete',
  pg_cancel_backend: 'delete',
  pg_reload_conf: 'set',
  pg_rotate_logfile: 'set',
  pg_switch_wal: 'increment',
  pg_promote: 'set',
  pg_wal_replay_pause: 'set',
  pg_wal_replay_resume: 'set',
  pg_create_restore_point: 'create',
  pg_create_physical_replication_slot: 'create',
  pg_create_logical_replication_slot: 'create',
  pg_drop_replication_slot: 'delete',
  pg_logical_slot_get_changes: 'pop',
  pg_logical_emit_message: 'send',
  pg_stat_reset: 'set',
  pg_stat_reset_shared: 'set',
  pg_stat_statements_reset: 'set',
  lo_create: 'create',
  lo_creat: 'create',
  lo_import: 'create',
  lo_export: 'set',
  lo_unlink: 'delete',
  lo_put: 'set',
  lowrite: 'set',
  dblink_exec: 'run',
  http_post: 'send',
  http_put: 'set',
  http_delete: 'delete',
  http_patch: 'set',
  'cron.schedule': 'set',
  'cron.schedule_in_database': 'set',
  'cron.unschedule': 'delete',
  'cron.alter_job': 'set',
  'pgmq.send': 'send',
  'pgmq.send_batch': 'send',
  'pgmq.pop': 'pop',
  'pgmq.read': 'pop',
  'pgmq.create': 'set',
  'pgmq.delete': 'delete',
  'pgmq.archive': 'delete',
  'net.http_post': 'send',
  'net.http_delete': 'delete',
  'graphile_worker.add_job': 'create',
  load_extension: 'run',
  writefile: 'set',
  sp_executesql: 'run',
  xp_cmdshell: 'run',
};

/** What only this connection sees: locks, settings, waiting. */
const CONTROL_FUNCTION =
  /^(pg_(try_)?advisory_\w+|set_config|setseed|get_lock|release_lock|release_all_locks|pg_sleep\w*|sleep|benchmark|txid_current\w*|pg_current_xact_id\w*|pg_export_snapshot|last_insert_id)$/;

/** Functions that compute although their name begins like a write. */
const COMPUTING_FUNCTION =
  /^(set_(bit|byte|masklen)|setweight|jsonb?_\w+|array_\w+|list_\w+|map_\w+|add_months|adddate|addtime|date_\w+|dateadd|insert|replace|update_?xml|updatexml|deletexml|insertxml\w*|truncate|trunc|st_\w+|make_\w+|generate_\w+|to_\w+|run_?length\w*)$/;

const SUSPICIOUS_NAME =
  /^(insert|update|delete|upsert|create|drop|remove|add|send|enqueue|dequeue|schedule|unschedule|increment|decrement|archive|publish|purge|import|exec|execute|run|save|store|process|trigger|notify|set|write|reset|clear|register|cancel|approve|merge|transfer|assign|revoke|grant)(_|$)/;

/**
 * What calling a function in a query does; null when it computes. `name` may be qualified. A function of the
 * project's own whose name begins like a write can't be decided from the text.
 */
export function judgeSqlFunction(name: string, where: 'local' | 'remote'): Judgement | null {
  const lower = name.toLowerCase().replace(/^pg_catalog\./, '');
  const bare = lower.slice(lower.lastIndexOf('.') + 1);
  const kind = WRITING_FUNCTIONS[lower] ?? WRITING_FUNCTIONS[bare];
  if (kind !== undefined) return writes(where, kind, `the SQL function ${bare} writes`);
  if (CONTROL_FUNCTION.test(bare))
    return reads(where, 'control', `the SQL function ${bare} touches the connection alone`);
  if (COMPUTING_FUNCTION.test(bare)) return null;
  if (SUSPICIOUS_NAME.test(bare))
    return cannotSay(where, `the SQL function ${bare} may write, and its body is not here`);
  return null;
}

/** Functions whose value is new every time. */
const RANDOM_FUNCTION =
  /^(gen_random_uuid|uuid|uuidv[47]|uuid_generate_v\w+|random|rand|randomblob|newid|newsequentialid|sys_guid|generate_?uuid(v4)?|gen_random_bytes|generateuuidv[47]|nextval|hex_random)$/;

export function isRandomSqlFunction(name: string): boolean {
  const lower = name.toLowerCase();
  return RANDOM_FUNCTION.test(lower.slice(lower.lastIndexOf('.') + 1));
}
