import type { DocumentDatabase, DocumentStore, StoredDocument } from '../platform/documents/document-store.js';
import { GatheredWrites } from '../platform/documents/gathered-writes.js';
import { HOUR_MS } from '../platform/kernel/durations.js';
import { LruMap } from '../platform/kernel/lru-map.js';

const DATABASE = 'api-key-uses';
const USES = 'uses';
const MAX_REMEMBERED = 100_000;
const PAGE = 500;

interface UseDocument extends StoredDocument {
  /** SHA-256 of the key, hexadecimal. */
  readonly _id: string;
  /** Milliseconds since 1970. */
  readonly usedAt: number;
}

/** When API keys were last used, to the hour. Safe to lose, and in no log: a key without a document counts as used now. */
export class KeyUses {
  /** The time of each key's newest stored use. */
  private readonly stored = new LruMap<string, number>(MAX_REMEMBERED);

  private constructor(
    private readonly database: DocumentDatabase,
    private readonly writes: GatheredWrites<UseDocument>,
    private readonly now: () => number,
  ) {}

  static async open(
    store: DocumentStore,
    onFailure: (error: unknown) => void,
    now: () => number = Date.now,
  ): Promise<KeyUses> {
    const database = await store.database(DATABASE);
    await database.ensure({ [USES]: {} });
    return new KeyUses(database, new GatheredWrites({ database, collection: USES, onFailure }), now);
  }

  /** @param keyHash of a valid key */
  record(keyHash: string): void {
    const now = this.now();
    if (now - (this.stored.peek(keyHash) ?? 0) < HOUR_MS) return;
    this.stored.set(keyHash, now);
    this.writes.put({ _id: keyHash, usedAt: now });
  }

  /** Finds the last use of each key, milliseconds since 1970. Keys that have none on record are left out. */
  async lastUses(keyHashes: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const found = await this.uses().find({ _id: { $in: keyHashes } });
    const wanted = new Set(keyHashes);
    const newest = [...this.writes.unwritten].filter(({ _id }) => wanted.has(_id));
    return new Map([...found, ...newest].map(({ _id, usedAt }) => [_id, usedAt]));
  }

  /** Forgets the uses of keys that are no more. */
  async keepOnly(isKey: (keyHash: string) => boolean): Promise<void> {
    for (let after = ''; ; ) {
      const page = await this.uses().find({ _id: { $gt: after } }, { sort: { _id: 1 }, limit: PAGE });
      for (const { _id } of page) if (!isKey(_id)) await this.uses().deleteOne({ _id });
      const last = page.at(-1);
      if (!last || page.length < PAGE) return;
      after = last._id;
    }
  }

  onApplicationShutdown(): Promise<void> {
    return this.writes.flush();
  }

  private uses() {
    return this.database.collection<UseDocument>(USES);
  }
}
