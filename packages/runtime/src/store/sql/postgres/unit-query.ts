import type pg from 'pg';
import type { SqlRow, SqlValue, Statement, UnitOutcome } from '../../unit.js';
import { PostgresFailure } from './postgres-failure.js';
import { parserOf } from './postgres-values.js';
import { refusedRows, type WireStatement } from './wire-statements.js';

/** What became of one try. */
export type Attempt =
  | Extract<UnitOutcome, { kind: 'committed' | 'refused' }>
  | { readonly kind: 'failed' | 'unknown'; readonly failure: PostgresFailure };

/** The part of the driver's connection that is used here: messages of the extended query protocol. */
interface Wire {
  readonly stream: { cork(): void; uncork(): void };
  parse(message: { readonly name: string; readonly text: string }): void;
  bind(message: {
    readonly portal: string;
    readonly statement: string;
    readonly values: readonly SqlValue[];
    readonly valueMapper: (value: SqlValue) => string | Buffer | null;
  }): void;
  describe(message: { readonly type: 'P'; readonly name: string }): void;
  execute(message: { readonly portal: string }): void;
  close(message: { readonly type: 'S'; readonly name: string }): void;
  sync(): void;
}

interface Field {
  readonly name: string;
  readonly dataTypeID: number;
}

/** Which statements a connection keeps prepared. */
const prepared = new WeakMap<object, Set<string>>();

/**
 * A unit in one round trip. Up to the Sync at its end, what is sent is one transaction, which the server commits
 * there, or takes back as a whole with the first error; an expectation that does not hold is one.
 */
export class UnitQuery implements pg.Submittable {
  /** Set by the driver, which clears the time limit of a query with it. */
  callback?: (error: Error | null) => void;
  readonly attempt: Promise<Attempt>;
  /** Whether the connection can be used again: nothing of the unit is under way on it. */
  isClean = false;
  readonly #unit: readonly Statement[];
  readonly #wires: readonly WireStatement[];
  #settle: (attempt: Attempt) => void = () => undefined;
  #isSent = false;
  #isSettled = false;
  /** How many rows each statement touched that was answered. */
  readonly #found: number[] = [];
  readonly #answers: (readonly SqlRow[])[] = [];
  #columns: readonly { readonly name: string; readonly parse: (text: string) => SqlValue }[] = [];
  #rows: SqlRow[] = [];
  #counted: number | null = null;
  #kept = new Set<string>();
  readonly #fresh = new Set<string>();

  constructor(unit: readonly Statement[], wires: readonly WireStatement[]) {
    this.#unit = unit;
    this.#wires = wires;
    this.attempt = new Promise((resolve) => (this.#settle = resolve));
  }

  submit(connection: pg.Connection): void {
    const wire = connection as unknown as Wire;
    this.#kept = prepared.get(connection) ?? new Set();
    prepared.set(connection, this.#kept);
    this.#isSent = true;
    wire.stream.cork();
    try {
      // All values come before anything is executed: a process that is stopped while it sends a large unit keeps no row
      // locked. What is late is bound when it is its turn, and so is everything after it.
      const firstLate = this.#wires.findIndex(({ isLate }) => isLate);
      const early = firstLate === -1 ? this.#wires.length : firstLate;
      for (let index = 0; index < early; index += 1) {
        this.#bind(wire, index);
      }
      for (const [index, { hasRows }] of this.#wires.entries()) {
        if (index >= early) this.#bind(wire, index);
        if (hasRows) wire.describe({ type: 'P', name: portalOf(index) });
        wire.execute({ portal: portalOf(index) });
      }
      wire.sync();
    } finally {
      wire.stream.uncork();
    }
  }

  #bind(wire: Wire, index: number): void {
    const { name, text } = this.#wires[index] ?? NOTHING;
    if (name === null) {
      wire.parse({ name: '', text });
    } else if (!this.#kept.has(name) && !this.#fresh.has(name)) {
      // An earlier unit that was broken off may have left it there, or not.
      wire.close({ type: 'S', name });
      wire.parse({ name, text });
      this.#fresh.add(name);
    }
    const values = this.#unit[index]?.parameters ?? [];
    wire.bind({ portal: portalOf(index), statement: name ?? '', values, valueMapper: toWire });
  }

  handleRowDescription({ fields }: { readonly fields: readonly Field[] }): void {
    this.#columns = fields.map(({ name, dataTypeID }) => ({
      name,
      parse: parserOf(dataTypeID),
    }));
  }

  handleDataRow({ fields }: { readonly fields: readonly (string | null)[] }): void {
    const wire = this.#wires[this.#found.length];
    if (wire?.isCounted === true) {
      this.#counted = Number(fields[0]);
    } else if (wire?.hasRows === true) {
      this.#rows.push(
        Object.fromEntries(
          this.#columns.map(({ name, parse }, at) => {
            const text = fields[at] ?? null;
            return [name, text === null ? null : parse(text)];
          }),
        ),
      );
    }
  }

  handleCommandComplete(): void {
    this.#found.push(this.#counted ?? this.#rows.length);
    this.#answers.push(this.#rows);
    this.#counted = null;
    this.#rows = [];
  }

  handleEmptyQuery(): void {
    this.handleCommandComplete();
  }

  /** The server has committed. */
  handleReadyForQuery(): void {
    this.#fresh.forEach((name) => this.#kept.add(name));
    const refused = this.#wires.findIndex(
      ({ expected }, index) => expected !== null && expected !== this.#found[index],
    );
    this.#end(
      refused === -1
        ? { kind: 'committed', rows: this.#answers }
        : { kind: 'refused', statement: refused, found: this.#found[refused] ?? 0 },
      true,
    );
  }

  handleError(error: unknown): void {
    const failure = new PostgresFailure(error);
    const found = refusedRows(failure.postgresCode, error);
    const statement = this.#found.length;
    if (found !== null) {
      this.#end({ kind: 'refused', statement, found }, true);
      return;
    }
    // Before the server comes to the Sync, nothing is committed.
    const isBeforeSync = !this.#isSent || (failure.isFromServer && statement < this.#wires.length);
    this.#end({ kind: isBeforeSync || failure.isAnswer ? 'failed' : 'unknown', failure }, failure.isAnswer);
  }

  #end(attempt: Attempt, isClean: boolean): void {
    if (!this.#isSettled) {
      this.#isSettled = true;
      this.isClean = isClean;
      this.callback?.(null);
      this.#settle(attempt);
    }
  }
}

const NOTHING = { name: null, text: '' } as const;

function portalOf(index: number): string {
  return `unit_${index}`;
}

function toWire(value: SqlValue): string | Buffer | null {
  if (value === null || typeof value === 'string') {
    return value;
  }
  return value instanceof Uint8Array
    ? Buffer.from(value.buffer, value.byteOffset, value.byteLength)
    : String(value);
}
