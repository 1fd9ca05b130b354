import type {
  ContentData,
  ContentQuery,
  ContentRecord,
  ContentWrite,
  FinishingStep,
  RawContentHandler,
} from '@toolwright/sdk';
import { WriteTarget } from '@toolwright/sdk';

/** The rows of the content system, by `table:uid`, and the code that it calls after each write. */
export const rows = new Map<string, ContentData>();
export const afterWrite: (() => void)[] = [];

/** The binding to the content system, as a host writes it. There is nothing wrong with it. */
export class PagesBinding implements RawContentHandler {
  readonly #landed: WriteTarget[] = [];

  async write(operation: ContentWrite): Promise<WriteTarget> {
    const target =
      operation.kind === 'create' ? WriteTarget.of(operation.table, rows.size + 1) : operation.target;
    const key = keyOf(target);
    if (operation.kind === 'delete') {
      rows.delete(key);
    } else {
      rows.set(key, { ...rows.get(key), ...operation.data });
    }
    this.#landed.push(target);
    for (const hook of afterWrite) {
      hook();
    }
    return target;
  }

  landed(): readonly WriteTarget[] {
    return this.#landed;
  }

  isTransactionOpen(): boolean {
    return false;
  }

  remainingSteps(): readonly FinishingStep[] {
    return [];
  }

  async read(target: WriteTarget): Promise<ContentRecord | null> {
    const data = rows.get(keyOf(target));
    return data === undefined ? null : { target, data };
  }

  async find(
    table: string,
    query: ContentQuery & { readonly limit: number },
  ): Promise<readonly ContentRecord[]> {
    const wanted = Object.entries(query.where ?? {});
    return [...rows]
      .filter(
        ([key, data]) => key.startsWith(`${table}:`) && wanted.every(([name, value]) => data[name] === value),
      )
      .slice(0, query.limit)
      .map(([key, data]) => ({ target: WriteTarget.of(table, key.slice(table.length + 1)), data }));
  }
}

function keyOf(target: WriteTarget): string {
  return `${target.table}:${String(target.uid)}`;
}
