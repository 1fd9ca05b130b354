// @ts-check
/** @import { Database, Statement as Prepared } from 'better-sqlite3' */
/** @import { SqlRow, Statement } from '../../unit.js' */

/**
 * What the driver said, in plain data that crosses a thread; `code` is SQLite's extended result code, or
 * empty where the statement never reached the database.
 *
 * @typedef {{ readonly code: string, readonly message: string }} SqliteProblem
 */

/**
 * @typedef {{ readonly kind: 'committed', readonly rows: readonly (readonly SqlRow[])[] }
 *   | { readonly kind: 'refused', readonly statement: number, readonly found: number }
 *   | { readonly kind: 'failed', readonly problem: SqliteProblem }
 *   | { readonly kind: 'unknown', readonly problem: SqliteProblem }} ThreadOutcome
 */

/** A unit committed what it shares with others, so nobody can say any more what is stored of whom. */
class TransactionEndedError extends Error {
  constructor() {
    super('A unit ended the transaction that it shares with others.');
    this.name = 'TransactionEndedError';
  }
}

/** @typedef {{ readonly index: number, readonly unit: readonly Statement[] }} Place */
/**
 * What became of some units of a group, and the groups to try again, of which nothing is stored.
 *
 * @typedef {{ readonly decided: ReadonlyMap<number, ThreadOutcome>, readonly again: readonly Place[][] }} Decision
 */

/** Statements stay prepared up to this number; the store has far fewer, so what goes is what nobody asks for again. */
const PREPARED_LIMIT = 256;

/**
 * Runs units on one connection, as many as there are in one transaction. It blocks, so it lives in a thread.
 */
export class UnitCommitter {
  /** @type {Database} */
  #database;
  /** @type {Map<string, Prepared>} */
  #prepared = new Map();
  /** Whether the unit that ran last has left anything in its transaction. */
  #hasChanged = false;

  /** @param {Database} database */
  constructor(database) {
    this.#database = database;
  }

  /**
   * Commits all units that hold, in one transaction. One that does not hold takes back nothing but itself: where it has
   * changed something by then, the transaction begins anew, with a savepoint for each unit. No outcome is `committed`
   * before the COMMIT has returned.
   *
   * @param {readonly (readonly Statement[])[]} units
   * @returns {ThreadOutcome[]} one for each unit, in the same order
   */
  commit(units) {
    /** @type {ThreadOutcome[]} */
    const outcomes = new Array(units.length);
    /** @type {Place[][]} */
    const groups = [units.map((unit, index) => ({ index, unit }))];
    for (let group = groups.pop(); group !== undefined; group = groups.pop()) {
      const { decided, again } = this.#commitGroup(group);
      for (const [index, outcome] of decided) {
        outcomes[index] = outcome;
      }
      groups.push(...again);
      const [first] = decided.values();
      if (first?.kind === 'unknown') {
        // Whatever were committed now could bring along, or lose, what nobody knows about.
        for (const { index } of groups.splice(0).flat()) {
          outcomes[index] = { kind: 'failed', problem: first.problem };
        }
      }
    }
    return outcomes;
  }

  /**
   * Runs statements outside of a transaction.
   *
   * @param {readonly Statement[]} statements
   * @returns {ThreadOutcome}
   */
  read(statements) {
    try {
      return this.#runUnit(statements, false);
    } catch (error) {
      return { kind: 'failed', problem: toProblem(error) };
    }
  }

  /**
   * @param {readonly Place[]} group
   * @returns {Decision}
   */
  #commitGroup(group) {
    try {
      this.#control('begin immediate');
    } catch (error) {
      return decideAll(group, { kind: 'failed', problem: toProblem(error) });
    }
    const together = this.#runTogether(group);
    if (together !== null) {
      return this.#endGroup(group, together);
    }
    try {
      this.#rollBack();
      this.#control('begin immediate');
    } catch (error) {
      return decideAll(group, { kind: 'failed', problem: toProblem(error) });
    }
    /** @type {Map<number, ThreadOutcome>} */
    const decided = new Map();
    for (const { index, unit } of group) {
      const outcome = this.#runInSavepoint(unit);
      if (!this.#database.inTransaction) {
        // A full disk, for example, takes the whole transaction back. The other units have done nothing wrong, and a
        // refusal among them may rest on what has just been taken back.
        const others = group.filter((other) => other.index !== index);
        return { decided: new Map([[index, outcome]]), again: others.length === 0 ? [] : [others] };
      }
      decided.set(index, outcome);
    }
    return this.#endGroup(group, decided);
  }

  /**
   * Runs units without a savepoint, for which SQLite keeps a copy of every page that is changed.
   *
   * @param {readonly Place[]} group
   * @returns {Map<number, ThreadOutcome> | null} null when one of them has to be taken back; `committed` means here: it holds
   */
  #runTogether(group) {
    /** @type {Map<number, ThreadOutcome>} */
    const decided = new Map();
    for (const { index, unit } of group) {
      try {
        const outcome = this.#runUnit(unit, true);
        if (outcome.kind !== 'committed' && this.#hasChanged) {
          return null;
        }
        decided.set(index, outcome);
      } catch (error) {
        if (error instanceof TransactionEndedError) {
          throw error;
        }
        return null;
      }
    }
    return decided;
  }

  /**
   * @param {readonly Place[]} group
   * @param {ReadonlyMap<number, ThreadOutcome>} decided
   * @returns {Decision}
   */
  #endGroup(group, decided) {
    const hasWork = [...decided.values()].some(({ kind }) => kind === 'committed');
    try {
      this.#control(hasWork ? 'commit' : 'rollback');
      return { decided, again: [] };
    } catch (error) {
      this.#rollBack();
      const problem = toProblem(error);
      if (isMediumFailure(problem)) {
        // The frames may have reached the disk before the sync failed: whether they count is not known.
        return decideAll(group, { kind: 'unknown', problem });
      }
      return group.length === 1
        ? decideAll(group, { kind: 'failed', problem })
        : { decided: new Map(), again: group.map((place) => [place]).reverse() };
    }
  }

  /**
   * @param {readonly Statement[]} unit
   * @returns {ThreadOutcome} `committed` means here: it holds
   */
  #runInSavepoint(unit) {
    try {
      this.#control('savepoint unit');
      const outcome = this.#runUnit(unit, true);
      if (outcome.kind !== 'committed') {
        this.#control('rollback to unit');
      }
      this.#control('release unit');
      return outcome;
    } catch (error) {
      if (error instanceof TransactionEndedError) {
        throw error;
      }
      if (this.#database.inTransaction) {
        try {
          this.#control('rollback to unit');
          this.#control('release unit');
        } catch {
          this.#rollBack();
        }
      }
      return { kind: 'failed', problem: toProblem(error) };
    }
  }

  /**
   * @param {readonly Statement[]} unit
   * @param {boolean} isShared whether the transaction that it runs in is not its own
   * @returns {ThreadOutcome}
   */
  #runUnit(unit, isShared) {
    /** @type {SqlRow[][]} */
    const rows = [];
    this.#hasChanged = false;
    for (const [index, statement] of unit.entries()) {
      const prepared = this.#prepare(statement.sql);
      /** @type {SqlRow[]} */
      let yielded = [];
      let found;
      if (prepared.reader) {
        yielded = /** @type {SqlRow[]} */ (prepared.all(...statement.parameters)).map(withSafeNumbers);
        found = yielded.length;
      } else {
        found = prepared.run(...statement.parameters).changes;
      }
      this.#hasChanged ||= found > 0 && !prepared.readonly;
      if (isShared && !this.#database.inTransaction) {
        throw new TransactionEndedError();
      }
      if (statement.rows !== 'any' && statement.rows !== found) {
        return { kind: 'refused', statement: index, found };
      }
      rows.push(yielded);
    }
    return { kind: 'committed', rows };
  }

  /** @param {string} sql */
  #control(sql) {
    this.#prepare(sql).run();
  }

  #rollBack() {
    if (this.#database.inTransaction) {
      this.#control('rollback');
    }
  }

  /** @param {string} sql */
  #prepare(sql) {
    let prepared = this.#prepared.get(sql);
    if (prepared === undefined) {
      prepared = this.#database.prepare(sql);
      if (prepared.reader) {
        // Without it, an integer beyond 2^53 would come back as another one.
        prepared.safeIntegers(true);
      }
      if (this.#prepared.size >= PREPARED_LIMIT) {
        const [oldest] = this.#prepared.keys();
        this.#prepared.delete(/** @type {string} */ (oldest));
      }
      this.#prepared.set(sql, prepared);
    }
    return prepared;
  }
}

/**
 * @param {readonly Place[]} group
 * @param {ThreadOutcome} outcome
 * @returns {Decision}
 */
function decideAll(group, outcome) {
  return { decided: new Map(group.map(({ index }) => [index, outcome])), again: [] };
}

/**
 * Whether the disk itself failed, after which nobody can say what of a transaction is on it.
 *
 * @param {SqliteProblem} problem
 */
export function isMediumFailure(problem) {
  return problem.code.startsWith('SQLITE_IOERR');
}

/**
 * @param {unknown} error
 * @returns {SqliteProblem}
 */
export function toProblem(error) {
  if (!(error instanceof Error)) {
    return { code: '', message: String(error) };
  }
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return { code: code.startsWith('SQLITE_') ? code : '', message: error.message };
}

/**
 * @param {SqlRow} row
 * @returns {SqlRow}
 */
function withSafeNumbers(row) {
  /** @type {Record<string, import('../../unit.js').SqlValue>} */
  const safe = {};
  for (const [column, value] of Object.entries(row)) {
    safe[column] = typeof value === 'bigint' && Number.isSafeInteger(Number(value)) ? Number(value) : value;
  }
  return safe;
}
