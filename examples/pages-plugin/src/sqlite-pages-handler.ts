import {
  WriteTarget,
  type ContentData,
  type ContentQuery,
  type ContentRecord,
  type ContentRun,
  type ContentWrite,
  type FinishingStep,
  type RawContentHandler,
} from '@toolwright/sdk';
import type { PageCache } from './page-cache.js';
import type { PagesDatabase } from './pages-database.js';

/** Code of the installation that is called after a page was written. Notes name it by its function's name. */
export type PageHook = (target: WriteTarget) => unknown;

/** What the binding is made of; shared by all runs. */
export interface PagesSystem {
  readonly database: PagesDatabase;
  readonly cache: PageCache;
  readonly hooks: readonly PageHook[];
}

const TABLE = 'pages';
// The only names that ever get into SQL. What a tool or a model sends is bound as a value.
const FIELDS = ['title', 'body'] as const;
const COLUMNS: readonly string[] = ['id', ...FIELDS];

interface PageRow {
  readonly id: number;
  readonly title: string;
  readonly body: string;
}

/** The binding to the SQLite table: one run of it. Built in `pages-content.ts` and nowhere else. */
export class SqlitePagesHandler implements RawContentHandler {
  readonly #system: PagesSystem;
  readonly #run: ContentRun;
  readonly #landed: WriteTarget[] = [];
  #toFlush: WriteTarget | null = null;

  constructor(system: PagesSystem, run: ContentRun) {
    this.#system = system;
    this.#run = run;
  }

  async write(operation: ContentWrite): Promise<WriteTarget> {
    const target = this.#store(operation);
    this.#landed.push(target);
    this.#toFlush = target;
    await this.#run.runHooks(
      this.#system.hooks.map((hook) => ({
        name: `hook afterWrite of ${TABLE} (${hook.name === '' ? 'unnamed' : hook.name})`,
        run: () => hook(target),
      })),
    );
    return target;
  }

  landed(): readonly WriteTarget[] {
    return this.#landed;
  }

  // Each write is one statement, which SQLite commits by itself.
  isTransactionOpen(): boolean {
    return this.#system.database.inTransaction;
  }

  remainingSteps(): readonly FinishingStep[] {
    const target = this.#toFlush;
    if (target === null) {
      return [];
    }
    return [
      {
        name: 'page cache flush',
        run: () => {
          this.#system.cache.flush(target.uid);
          this.#toFlush = null;
        },
      },
    ];
  }

  async read(target: WriteTarget): Promise<ContentRecord | null> {
    assertTable(target.table);
    const row = this.#system.database
      .prepare<[number], PageRow>('select id, title, body from pages where id = ?')
      .get(idOf(target));
    return row === undefined ? null : { target, data: fieldsOf(row) };
  }

  async find(
    table: string,
    query: ContentQuery & { readonly limit: number },
  ): Promise<readonly ContentRecord[]> {
    assertTable(table);
    const where = Object.entries(query.where ?? {});
    assertFields(
      where.map(([field]) => field),
      COLUMNS,
    );
    const condition = where.map(([field]) => `${field} is ?`).join(' and ');
    const rows = this.#system.database
      .prepare<unknown[], PageRow>(
        `select id, title, body from pages ${condition === '' ? '' : `where ${condition}`} order by id limit ?`,
      )
      .all(...where.map(([, value]) => value), query.limit);
    return rows.map((row) => ({ target: WriteTarget.of(TABLE, row.id), data: fieldsOf(row) }));
  }

  #store(operation: ContentWrite): WriteTarget {
    const { database } = this.#system;
    switch (operation.kind) {
      case 'create': {
        assertTable(operation.table);
        const { columns, values } = assigned(operation.data);
        const places = columns.map(() => '?').join(', ');
        const { lastInsertRowid } = database
          .prepare(`insert into pages (${columns.join(', ')}) values (${places})`)
          .run(...values);
        return WriteTarget.of(TABLE, Number(lastInsertRowid));
      }
      case 'update': {
        assertTable(operation.target.table);
        const { columns, values } = assigned(operation.data);
        const assignments = columns.map((column) => `${column} = ?`).join(', ');
        database
          .prepare(`update pages set ${assignments} where id = ?`)
          .run(...values, idOf(operation.target));
        return operation.target;
      }
      case 'delete':
        assertTable(operation.target.table);
        database.prepare('delete from pages where id = ?').run(idOf(operation.target));
        return operation.target;
    }
  }
}

function fieldsOf({ title, body }: PageRow): ContentData {
  return { title, body };
}

function idOf({ uid }: WriteTarget): number {
  return Number(uid);
}

function assigned(data: ContentData): { readonly columns: readonly string[]; readonly values: unknown[] } {
  const columns = Object.keys(data);
  assertFields(columns, FIELDS);
  return { columns, values: Object.values(data) };
}

function assertTable(table: string): void {
  if (table !== TABLE) {
    throw new PagesBindingError(`expected the table "${TABLE}", found another`);
  }
}

function assertFields(fields: readonly string[], known: readonly string[]): void {
  if (fields.some((field) => !known.includes(field))) {
    throw new PagesBindingError(`expected fields of ${known.join(', ')}, found another`);
  }
}

/** A tool asked for a table or a field that there is not. */
export class PagesBindingError extends Error {
  override readonly name = 'PagesBindingError';

  constructor(problem: string) {
    super(`Cannot use the content of pages: ${problem}.`);
  }
}
