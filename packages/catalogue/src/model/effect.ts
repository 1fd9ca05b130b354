/** Where a write lands. `none`: nothing is written. `session`: state of this process alone. */
export const EFFECT_CLASSES = ['none', 'session', 'local', 'remote', 'content'] as const;

/**
 * What a call writes at worst. `session`: state of this process. `local`: files, processes, devices
 * of this machine. `remote`: another system. `content`: records behind the safe content handler.
 */
export type EffectClass = (typeof EFFECT_CLASSES)[number];

/** Where a call acts, be it reading or writing. `nothing`: it computes. */
export type Reach = 'nothing' | 'session' | 'local' | 'remote' | 'content';

/** Why a call that may look like a write is none. */
export const READ_KINDS = [
  /** Computes from its arguments. */
  'pure',
  /** Reads a file, a database, a service. */
  'read',
  /** Documented non-writes: they record that something happened and are nobody's purpose. */
  'log',
  'telemetry',
  'cache',
  /** Waits, or runs a callback later. */
  'timer',
  /** Opens, authenticates or closes a connection, a handle or a pool. */
  'connection',
  /** Begins or ends a transaction, takes a lock, sets what only this connection sees. */
  'control',
  /** Registers a listener. */
  'listen',
  /** Goes to the system's temporary folder. */
  'temporary',
] as const;

/** What a write does; it decides whether a repetition changes anything further. */
export const WRITE_KINDS = [
  /** Makes a new record under a key that the other side chooses. */
  'create',
  /** Adds to what is there. */
  'append',
  /** Sends a message, a mail, an event. */
  'send',
  'increment',
  /** Moves relative to where things are (a step back, one place up). */
  'move',
  /** Takes out whatever is first, last or next. */
  'pop',
  /** Flips. */
  'toggle',
  /** Writes under a key that is new every time. */
  'random-key',
  /** Runs code, a job or a program; what it does is its own affair. */
  'run',
  /** Sets to a value that the call states. */
  'set',
  'delete',
  /** Creates or replaces under a key that the call states. */
  'upsert',
  /** Makes sure that something exists; a second time changes nothing, or fails. */
  'ensure',
  /** A write of which no more is known. */
  'write',
] as const;

export type ReadKind = (typeof READ_KINDS)[number];
export type WriteKind = (typeof WRITE_KINDS)[number];
export type EffectKind = ReadKind | WriteKind;

/** Whether doing it again leaves the world as it was after the first time. */
export type Convergence = 'yes' | 'no' | 'unknown';

/** `proven`: source, documentation or the text itself says so. `by-name`: a verb was read. */
export type Confidence = 'proven' | 'by-name';

const CONVERGENCE: Readonly<Record<WriteKind, Convergence>> = {
  create: 'no',
  append: 'no',
  send: 'no',
  increment: 'no',
  move: 'no',
  pop: 'no',
  toggle: 'no',
  'random-key': 'no',
  run: 'unknown',
  set: 'yes',
  delete: 'yes',
  upsert: 'yes',
  ensure: 'yes',
  write: 'unknown',
};

const WRITE_KIND_SET: ReadonlySet<string> = new Set(WRITE_KINDS);

export function isWriteKind(kind: EffectKind): kind is WriteKind {
  return WRITE_KIND_SET.has(kind);
}

/** Whether an effect of this kind converges. What writes nothing does. */
export function convergenceOf(kind: EffectKind): Convergence {
  return isWriteKind(kind) ? CONVERGENCE[kind] : 'yes';
}

/** How bad a class is, for choosing the worse of two and for telling a weakening override. */
export const EFFECT_RANK: Readonly<Record<EffectClass, number>> = {
  none: 0,
  session: 1,
  local: 2,
  remote: 3,
  content: 3,
};
