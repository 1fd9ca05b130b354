import { WriteTarget, type ContentRun, type ContentWrite } from '@toolwright/sdk';
import type { PayloadRequest } from 'payload';
import { GLOBALS_TABLE, type Entity } from '../entity.js';

/** One completed write of the adapter that belongs to the operation itself. */
export interface StoredPart {
  readonly kind: 'row' | 'version' | 'deletion';
  readonly uid: string | number;
  /** Id of the version row, where the adapter answered it. */
  readonly versionId?: string | number;
  /** What the adapter answered: the record as stored, all locales in it. */
  readonly stored?: Readonly<Record<string, unknown>>;
  /** The stamp that the write carried; null where the record has none. */
  readonly updatedAt?: string;
  readonly transactionId: string | number | null;
}

/** What is told to hooks that Payload did not come to. */
export interface HookMaterial {
  readonly req: PayloadRequest;
  readonly data?: unknown;
  /** The record before the change, as the locale of the operation shows it. */
  readonly originalDoc?: unknown;
}

/** Lists of hooks that run after the writes, and that are finished when Payload did not come to them. */
export type AfterList = 'afterChange' | 'afterDelete' | 'afterOperation';

/** What one run is known to have done so far. The observers of the adapter and of the hook lists fill it. */
export class RunRecord {
  readonly entity: Entity;
  readonly operation: ContentWrite;
  readonly #parts: StoredPart[] = [];
  readonly #begun = new Set<AfterList>();
  #hasFailedPart = false;
  #hasCompleted = false;
  #material: HookMaterial | null = null;

  constructor(entity: Entity, operation: ContentWrite) {
    this.entity = entity;
    this.operation = operation;
  }

  /** Whether a write of the adapter is about the operation's own record. The id of a new one is not known before. */
  isAbout(kind: Entity['kind'], slug: string, uid: string | number | undefined): boolean {
    const { entity, operation } = this;
    if (entity.kind !== kind || entity.slug !== slug) {
      return false;
    }
    if (entity.kind === 'global' || uid === undefined) {
      return true;
    }
    const known = operation.kind === 'create' ? this.#parts[0]?.uid : operation.target.uid;
    return known === undefined || String(known) === String(uid);
  }

  stored(part: StoredPart): void {
    this.#parts.push(part);
  }

  failedToStore(): void {
    this.#hasFailedPart = true;
  }

  rolledBack(transactionId: string | number): void {
    for (let index = this.#parts.length - 1; index >= 0; index -= 1) {
      if (this.#parts[index]?.transactionId === transactionId) {
        this.#parts.splice(index, 1);
      }
    }
  }

  begun(list: AfterList): void {
    this.#begun.add(list);
  }

  hasBegun(list: AfterList): boolean {
    return this.#begun.has(list);
  }

  completed(): void {
    this.#hasCompleted = true;
  }

  get hasCompleted(): boolean {
    return this.#hasCompleted;
  }

  learned(material: HookMaterial): void {
    this.#material = { ...this.#material, ...material };
  }

  get material(): HookMaterial | null {
    return this.#material;
  }

  get parts(): readonly StoredPart[] {
    return this.#parts;
  }

  get transactionIds(): readonly (string | number)[] {
    return this.#parts.map(({ transactionId }) => transactionId).filter((id) => id !== null);
  }

  landed(): readonly WriteTarget[] {
    const part = this.#parts[0];
    if (part === undefined) {
      return [];
    }
    const { entity, operation } = this;
    if (operation.kind !== 'create') {
      return [operation.target];
    }
    return [WriteTarget.of(entity.kind === 'global' ? GLOBALS_TABLE : entity.slug, part.uid)];
  }

  /** Whether everything is stored that the operation stores. */
  isWritten(): boolean {
    if (this.#hasFailedPart) {
      return false;
    }
    const has = (kind: StoredPart['kind']): boolean => this.#parts.some((part) => part.kind === kind);
    switch (this.operation.kind) {
      case 'delete':
        return has('deletion');
      case 'create':
        return has('row') && (!this.#isVersioned || has('version'));
      case 'update':
        return this.#isVersioned && !this.#isFirstRestoreOfGlobal() ? has('version') : has('row');
    }
  }

  get #isVersioned(): boolean {
    return Boolean(this.entity.config.versions);
  }

  // Payload restores a global that is not stored (any more) without a version of its own.
  #isFirstRestoreOfGlobal(): boolean {
    return (
      this.entity.kind === 'global' &&
      this.operation.options['restoreVersion'] !== undefined &&
      this.#parts.some(({ kind, updatedAt }) => kind === 'row' && updatedAt === undefined)
    );
  }
}

// By the run itself, so that what a hook left behind writes later is counted nowhere.
const records = new WeakMap<ContentRun, RunRecord>();

export function keepRecord(run: ContentRun, record: RunRecord): void {
  records.set(run, record);
}

/** The record of a run of this binding; undefined for the run of another one. */
export function recordOf(run: ContentRun): RunRecord | undefined {
  return records.get(run);
}
