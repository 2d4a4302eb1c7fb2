import type { SqliteConnection } from '../../sqlite/driver.js';
import { emptyWriteAheadLog } from '../../sqlite/writer/checkpoint.js';
import type { GroupWriter } from '../../sqlite/writer/serve-writer.js';
import { DESTROYED } from './keys-file.js';

/** Keys cross between threads as hexadecimal text. */
export type KeysRequest =
  | { readonly kind: 'put'; readonly id: string; readonly key: string }
  | { readonly kind: 'destroy'; readonly ids: readonly string[] };

export type KeysOutcome =
  | { readonly kind: 'inserted' }
  | { readonly kind: 'present'; readonly key: string }
  /** `isErased`: no file holds the keys' bytes any more. */
  | { readonly kind: 'destroyed'; readonly isErased: boolean };

/** Stores and destroys keys, in the writer's thread. */
export class KeysWriter implements GroupWriter<KeysRequest, KeysOutcome> {
  constructor(
    readonly connection: SqliteConnection,
    private readonly unlock: () => void,
  ) {}

  apply(request: KeysRequest): KeysOutcome {
    if (request.kind === 'put') return this.put(request.id, request.key);
    this.connection
      .prepare(`UPDATE keys SET key = ${DESTROYED} WHERE id IN (SELECT value FROM json_each(?))`)
      .run(JSON.stringify(request.ids));
    return { kind: 'destroyed', isErased: true };
  }

  rolledBack(): void {}

  /** Empties the write-ahead log after a destruction: it holds earlier contents of the pages. */
  finish(outcomes: readonly KeysOutcome[]): readonly KeysOutcome[] {
    if (!outcomes.some(({ kind }) => kind === 'destroyed')) return outcomes;
    const isErased = emptyWriteAheadLog(this.connection) === 'emptied';
    return outcomes.map((outcome) => (outcome.kind === 'destroyed' ? { ...outcome, isErased } : outcome));
  }

  close(): void {
    emptyWriteAheadLog(this.connection);
    this.connection.close();
    this.unlock();
  }

  private put(id: string, key: string): KeysOutcome {
    const { changes } = this.connection
      .prepare(
        `INSERT INTO keys (id, key) VALUES (?, ?)
         ON CONFLICT (id) DO UPDATE SET key = excluded.key WHERE keys.key = ${DESTROYED}`,
      )
      .run(id, Buffer.from(key, 'hex'));
    if (changes > 0) return { kind: 'inserted' };
    const [present] = this.connection.prepare('SELECT hex(key) FROM keys WHERE id = ?').get(id) ?? [];
    return { kind: 'present', key: String(present) };
  }
}
