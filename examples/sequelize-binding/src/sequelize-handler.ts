import {
  WriteTarget,
  type ContentData,
  type ContentOptions,
  type ContentQuery,
  type ContentRecord,
  type ContentRun,
  type ContentWrite,
  type FinishingStep,
  type RawContentHandler,
} from '@toolwright/sdk';
import type { Model, ModelStatic, Sequelize, Transaction, TransactionOptions } from 'sequelize';
import { witnessHooks } from './observed-hooks.js';

export interface SequelizeSystem {
  readonly sequelize: Sequelize;
  readonly transactions: boolean;
}

// An option of Sequelize that its types do not have.
const WITHOUT_HOOKS: object = { hooks: false };
const LANDING_HOOKS: readonly string[] = ['afterCreate', 'afterUpdate', 'afterDestroy'];

/** The binding to Sequelize: one run of it. Built in `sequelize-content.ts` and nowhere else. */
export class SequelizeHandler implements RawContentHandler {
  readonly #system: SequelizeSystem;
  readonly #run: ContentRun;
  #landed: WriteTarget[] = [];
  #isTransactionOpen = false;

  constructor(system: SequelizeSystem, run: ContentRun) {
    this.#system = system;
    this.#run = run;
  }

  /** Refuses what there is no model for, and a record that there is not. */
  async refuses(operation: ContentWrite): Promise<string | null> {
    const table = operation.kind === 'create' ? operation.table : operation.target.table;
    if (!Object.hasOwn(this.#system.sequelize.models, table)) {
      return `there is no model ${table}`;
    }
    const isMissing = operation.kind !== 'create' && (await this.#find(operation.target)) === null;
    return isMissing ? `there is no such record in ${table}` : null;
  }

  async write(operation: ContentWrite): Promise<WriteTarget> {
    // Called at depth 0 only: right after the statement of the operation itself, whatever its hooks do then.
    witnessHooks(this.#run, (kind, instance) => {
      if (LANDING_HOOKS.includes(kind)) {
        this.#landed.push(targetOf(instance as Model));
      }
    });
    return this.#system.transactions
      ? this.#inTransaction((transaction) => this.#store(operation, { transaction }))
      : this.#store(operation, {});
  }

  landed(): readonly WriteTarget[] {
    return this.#landed;
  }

  isTransactionOpen(): boolean {
    return this.#isTransactionOpen;
  }

  // What Sequelize does after a write are hooks, and the run runs those.
  remainingSteps(): readonly FinishingStep[] {
    return [];
  }

  /** PostgreSQL answers a COMMIT that it turned into a rollback as if it had been one. */
  async confirms(operation: ContentWrite, target: WriteTarget): Promise<boolean> {
    const stored = await this.#find(target);
    if (operation.kind === 'delete' || stored === null) {
      return (operation.kind === 'delete') === (stored === null);
    }
    const written = this.#model(target.table).build({ ...operation.data });
    return Object.keys(operation.data).every(
      (field) => JSON.stringify(stored.get(field)) === JSON.stringify(written.get(field)),
    );
  }

  async read(target: WriteTarget, _options: ContentOptions): Promise<ContentRecord | null> {
    const found = await this.#find(target);
    return found === null ? null : recordOf(found);
  }

  async find(
    table: string,
    { where = {}, limit }: ContentQuery & { readonly limit: number },
  ): Promise<readonly ContentRecord[]> {
    const found = await this.#model(table).findAll({
      where: { ...where },
      limit,
      order: ['id'],
      ...WITHOUT_HOOKS,
    });
    return found.map(recordOf);
  }

  async #store(
    operation: ContentWrite,
    options: TransactionOptions & { transaction?: Transaction },
  ): Promise<WriteTarget> {
    if (operation.kind === 'create') {
      return targetOf(await this.#model(operation.table).create({ ...operation.data }, options));
    }
    const { table, uid } = operation.target;
    const instance = await this.#model(table).findByPk(uid, { ...options, rejectOnEmpty: true });
    await (operation.kind === 'update'
      ? instance.update({ ...operation.data }, options)
      : instance.destroy(options));
    return operation.target;
  }

  /** The hooks that a transaction keeps for after its COMMIT run after it, as a list of the run. */
  async #inTransaction(work: (transaction: Transaction) => Promise<WriteTarget>): Promise<WriteTarget> {
    const transaction = await this.#system.sequelize.transaction();
    const afterCommit: ((transaction: Transaction) => unknown)[] = [];
    transaction.afterCommit = (hook) => {
      afterCommit.push(hook);
    };
    this.#isTransactionOpen = true;
    let target: WriteTarget;
    try {
      target = await work(transaction);
      await transaction.commit();
    } catch (error) {
      await transaction.rollback().catch(() => undefined);
      this.#landed = [];
      throw error;
    } finally {
      this.#isTransactionOpen = false;
    }
    await this.#run.runHooks(
      afterCommit.map((hook) => ({
        name: `hook afterCommit (${hook.name || 'unnamed'})`,
        run: () => hook(transaction),
      })),
    );
    return target;
  }

  async #find(target: WriteTarget): Promise<Model | null> {
    return this.#model(target.table).findByPk(target.uid, WITHOUT_HOOKS);
  }

  #model(table: string): ModelStatic<Model> {
    return this.#system.sequelize.model(table);
  }
}

function targetOf(instance: Model): WriteTarget {
  const { name } = instance.constructor as ModelStatic<Model>;
  return WriteTarget.of(name, instance.get('id') as string | number);
}

function recordOf(instance: Model): ContentRecord {
  return { target: targetOf(instance), data: instance.get({ plain: true }) as ContentData };
}
