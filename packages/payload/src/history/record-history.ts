import type { Payload, SelectType, Where } from 'payload';
import { recordIdOf, type Entity } from '../entity.js';
import { textOf, timeOf, type VersionRow } from './version-state.js';

/** Times of a record and of its newest version: when they are the same before and after a reading, it is of one moment. */
export interface HistoryFence {
  /** Null where the record is not there. */
  readonly record: RecordStamps | null;
  readonly newest: { readonly id: string; readonly at: number } | null;
}

export interface RecordStamps {
  readonly bornAt: number | null;
  readonly updatedAt: number | null;
  readonly deletedAt: string | null;
  readonly status: unknown;
}

const PAGE_SIZE = 50;
const NEWEST_FIRST = ['-updatedAt', '-id'];
const OLDEST_FIRST = ['updatedAt', 'id'];

interface VersionQuery {
  readonly where: readonly Where[];
  readonly sort: string[];
  readonly limit: number;
  readonly page?: number;
  readonly select?: SelectType;
}

/** A record and its versions as they are stored: read from the adapter, outside of transactions and without a hook. */
export class RecordHistory {
  readonly #payload: Payload;
  readonly #entity: Entity;
  readonly #id: string | number;

  private constructor(payload: Payload, entity: Entity, id: string | number) {
    this.#payload = payload;
    this.#entity = entity;
    this.#id = id;
  }

  /** Null where the uid cannot be an id of this collection. */
  static of(payload: Payload, entity: Entity, uid: string | number): RecordHistory | null {
    const id = entity.kind === 'global' ? entity.slug : recordIdOf(payload, entity.slug, uid);
    return id === null ? null : new RecordHistory(payload, entity, id);
  }

  async fence(): Promise<HistoryFence> {
    const record = await this.record();
    const [newest] = await this.#find({
      where: [],
      sort: NEWEST_FIRST,
      limit: 1,
      select: { updatedAt: true },
    });
    return {
      record,
      newest: newest === undefined ? null : { id: String(newest.id), at: timeOf(newest['updatedAt']) ?? 0 },
    };
  }

  async record(): Promise<RecordStamps | null> {
    const found = await this.#record();
    return found === null
      ? null
      : {
          bornAt: timeOf(found['createdAt']),
          updatedAt: timeOf(found['updatedAt']),
          deletedAt: textOf(found['deletedAt']),
          status: found['_status'] ?? null,
        };
  }

  /** The oldest version that is kept. */
  async oldest(): Promise<VersionRow | null> {
    const [row] = await this.#find({ where: [], sort: OLDEST_FIRST, limit: 1 });
    return row ?? null;
  }

  /** The newest version, or the one with an id, and the one before it; null where there is none. */
  async versionAndPrevious(
    id: string | number | null,
  ): Promise<{ readonly row: VersionRow; readonly previous: VersionRow | null } | null> {
    const [row] = await this.#find({
      where: id === null ? [] : [{ id: { equals: id } }],
      sort: NEWEST_FIRST,
      limit: 1,
    });
    if (row === undefined) {
      return null;
    }
    const [previous] = await this.#find({
      where: [{ id: { not_equals: row.id } }, { updatedAt: { less_than_equal: row['updatedAt'] } }],
      sort: NEWEST_FIRST,
      limit: 1,
    });
    return { row, previous: previous ?? null };
  }

  /** The versions that were stored at a time or later, oldest first, page by page. */
  async *since(time: number): AsyncGenerator<VersionRow> {
    const where = [{ updatedAt: { greater_than_equal: new Date(time).toISOString() } }];
    for (let page = 1; ; page += 1) {
      const rows = await this.#find({ where, sort: OLDEST_FIRST, limit: PAGE_SIZE, page });
      yield* rows;
      if (rows.length < PAGE_SIZE) {
        return;
      }
    }
  }

  async #record(): Promise<Readonly<Record<string, unknown>> | null> {
    const { db } = this.#payload;
    const entity = this.#entity;
    if (entity.kind === 'global') {
      const found = (await db.findGlobal({ slug: entity.slug })) as Readonly<Record<string, unknown>> | null;
      return found === null || Object.keys(found).length === 0 ? null : found;
    }
    const fields = { createdAt: true, updatedAt: true, deletedAt: true, _status: true } as const;
    return await db.findOne({
      collection: entity.slug,
      where: { id: { equals: this.#id } },
      select: fields,
    });
  }

  async #find({ where, ...query }: VersionQuery): Promise<readonly VersionRow[]> {
    const { db } = this.#payload;
    const entity = this.#entity;
    const common = { pagination: false, locale: 'all', ...query };
    const found =
      entity.kind === 'global'
        ? await db.findGlobalVersions({ ...common, global: entity.slug, where: { and: [...where] } })
        : await db.findVersions({
            ...common,
            collection: entity.slug,
            where: { and: [{ parent: { equals: this.#id } }, ...where] },
          });
    return found.docs;
  }
}
