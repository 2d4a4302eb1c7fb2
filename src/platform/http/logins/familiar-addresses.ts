import { hash } from 'node:crypto';
import { type DocumentDatabase, type DocumentStore, type StoredDocument } from '../../documents/document-store.js';
import { GatheredWrites } from '../../documents/gathered-writes.js';
import { DAY_MS } from '../../kernel/durations.js';
import { LruMap } from '../../kernel/lru-map.js';
import { addressBlock } from '../address-block.js';

const DATABASE = 'familiar-addresses';
const ADDRESSES = 'addresses';
/** An address stays familiar for so long after its last use. */
const FAMILIAR_MS = 60 * DAY_MS;
const MAX_REMEMBERED = 100_000;

interface AddressDocument extends StoredDocument {
  /** SHA-256 of account and address, hexadecimal. */
  readonly _id: string;
  /** Milliseconds since 1970. */
  readonly usedAt: number;
}

/**
 * The addresses of the network from which accounts were used lately, to the day. Safe to lose, and in no log: a login from
 * an address without a document counts as a stranger's.
 */
export class FamiliarAddresses {
  /** The time of each pair's newest stored use, by account and address as the request has them. */
  private readonly stored = new LruMap<string, number>(MAX_REMEMBERED);
  private sweptAt = Number.NEGATIVE_INFINITY;

  private constructor(
    private readonly database: DocumentDatabase,
    private readonly writes: GatheredWrites<AddressDocument>,
    private readonly now: () => number,
  ) {}

  static async open(
    store: DocumentStore,
    onFailure: (error: unknown) => void,
    now: () => number = Date.now,
  ): Promise<FamiliarAddresses> {
    const database = await store.database(DATABASE);
    await database.ensure({ [ADDRESSES]: { indexes: [{ keys: { usedAt: 1 } }] } });
    return new FamiliarAddresses(database, new GatheredWrites({ database, collection: ADDRESSES, onFailure }), now);
  }

  /**
   * Records a use by the owner: with the right password, or the right key.
   * @param account the folded address of its mails
   * @param address the client's IP address
   */
  record(account: string, address: string): void {
    const now = this.now();
    const pair = `${address} ${account}`;
    if (now - (this.stored.get(pair) ?? 0) < DAY_MS) return;
    this.stored.set(pair, now);
    this.writes.put({ _id: idOf(account, address), usedAt: now });
  }

  /** @throws DocumentStoreUnavailable */
  async has(account: string, address: string): Promise<boolean> {
    const id = idOf(account, address);
    for (const { _id } of this.writes.unwritten) if (_id === id) return true;
    await this.sweep();
    const found = await this.documents().findOne({ _id: id });
    return found !== null && this.now() - found.usedAt < FAMILIAR_MS;
  }

  flush(): Promise<void> {
    return this.writes.flush();
  }

  private async sweep(): Promise<void> {
    const now = this.now();
    if (now - this.sweptAt < DAY_MS) return;
    await this.documents().deleteMany({ usedAt: { $lt: now - FAMILIAR_MS } });
    this.sweptAt = now;
  }

  private documents() {
    return this.database.collection<AddressDocument>(ADDRESSES);
  }
}

const idOf = (account: string, address: string): string => hash('sha256', `${addressBlock(address)} ${account}`);
