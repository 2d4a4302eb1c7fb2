import { StartRefused } from '../../kernel/start-refused.js';
import { BatchQueue } from '../../mongodb/batch-queue.js';
import type { MongoConnection } from '../../mongodb/mongo-connection.js';
import { transientReason } from '../../mongodb/mongo-failure.js';
import {
  afterPrefix,
  type ContentKey,
  type ContentKeys,
  ContentKeysUnavailable,
  KEY_BYTES,
  type PutResult,
  refuseBadKey,
} from '../content-keys.js';
import { KeyCollection } from './key-collection.js';

/** As of the store in SQLite (`keys-file.ts`). */
const FORMAT = 2;
/** Most keys in one write. */
const MOST_AT_ONCE = 1000;

interface Put {
  readonly id: string;
  readonly key: ContentKey;
}

type Request = { readonly put: Put } | { readonly destroy: readonly string[] };

const LOST =
  'MONGODB_URL names a database without the keys of the log that EVENTSTORE_URL names, and without them nobody can read ' +
  'what people wrote: name the database that has them (restored with its collection formats), or another log with --stream-prefix';

/**
 * Keys in MongoDB, for any number of processes. Keeps none in memory, since another process may destroy it. The oplog
 * of each member holds a destroyed key until its window has passed.
 */
export class MongoContentKeys implements ContentKeys {
  private readonly stored: KeyCollection;
  private readonly writes = new BatchQueue<Request, PutResult | undefined>(
    (requests) => this.write(requests),
    MOST_AT_ONCE,
    areOfOneKind,
  );
  private closed = false;

  private constructor(connection: MongoConnection) {
    this.stored = new KeyCollection(connection);
  }

  /**
   * @param options `mustExist`: the log holds sealed content, so a database without keys belongs to another log
   * @throws StartRefused
   */
  static async open(connection: MongoConnection, { mustExist = false } = {}): Promise<MongoContentKeys> {
    if (mustExist && !(await connection.hasFormat('contentKeys'))) throw new StartRefused(LOST);
    await connection.claimFormat('contentKeys', FORMAT);
    return new MongoContentKeys(connection);
  }

  async putIfAbsent(id: string, key: ContentKey): Promise<PutResult> {
    refuseBadKey(id, key);
    const result = await this.attempt(() => this.writes.add({ put: { id, key } }));
    if (!result) throw new Error('a put without a result');
    return result;
  }

  async getMany(ids: readonly string[]): Promise<ReadonlyMap<string, ContentKey>> {
    return this.attempt(() => this.stored.find(ids));
  }

  async missing(ids: readonly string[]): Promise<readonly string[]> {
    const found = await this.getMany(ids);
    return ids.filter((id) => found.get(id)?.length !== KEY_BYTES);
  }

  async destroy(ids: readonly string[]): Promise<void> {
    if (ids.length > 0) await this.attempt(() => this.writes.add({ destroy: ids }));
  }

  async *names(prefix: string): AsyncGenerator<readonly string[], void> {
    const end = afterPrefix(prefix);
    for (let from: string | undefined = prefix; from !== undefined; ) {
      const after: string = from;
      const names: readonly string[] = await this.attempt(() => this.stored.namesBetween(after, end));
      if (names.length > 0) yield names;
      from = names.at(-1);
    }
  }

  /** Carries out earlier calls first. */
  async close(): Promise<void> {
    this.closed = true;
    await this.writes.idle();
  }

  private async write(requests: readonly Request[]): Promise<readonly (PutResult | undefined)[]> {
    const destroyed = requests.flatMap((request) => ('destroy' in request ? request.destroy : []));
    if (destroyed.length > 0) {
      await this.stored.remove(destroyed);
      return [];
    }
    const puts = requests.flatMap((request) => ('put' in request ? [request.put] : []));
    const firsts = new Map<string, Put>();
    for (const put of puts) if (!firsts.has(put.id)) firsts.set(put.id, put);
    const present = await this.stored.insert(new Map([...firsts].map(([id, { key }]) => [id, key])));
    return puts.map((put) => {
      const first = firsts.get(put.id) ?? put;
      const earlier = present.get(put.id);
      return { key: earlier ?? first.key, inserted: !earlier && first === put };
    });
  }

  private async attempt<T>(work: () => Promise<T>): Promise<T> {
    if (this.closed) throw new ContentKeysUnavailable('the content keys are closed');
    try {
      return await work();
    } catch (error) {
      const reason = transientReason(error);
      throw reason === null ? error : new ContentKeysUnavailable(`content keys: ${reason}`, { cause: error });
    }
  }
}

/** Keeps a put and the destruction of its name in the order of the calls. */
const areOfOneKind = (first: Request, other: Request): boolean => 'put' in first === 'put' in other;
