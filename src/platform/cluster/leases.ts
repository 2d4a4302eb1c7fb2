import {
  type Collection,
  type DocumentDatabase,
  type DocumentStore,
  DuplicateKey,
} from '../documents/document-store.js';
import { type LeaseDocument, PROCESSES_DATABASE, processCollections } from './process.documents.js';
import type { ProcessRegistry } from './process-registry.js';

/** The right to do work that one process does at a time, while that process is alive. */
export interface Lease {
  readonly name: string;
  /** Greater than the tokens of all earlier holders, which the fence refuses. */
  readonly token: number;
}

/** The leases of all processes. A process whose beats stop loses its leases. */
export class Leases {
  private constructor(
    private readonly database: DocumentDatabase,
    private readonly registry: Pick<ProcessRegistry, 'id' | 'isGone'>,
  ) {}

  static async open(documentStore: DocumentStore, registry: Pick<ProcessRegistry, 'id' | 'isGone'>): Promise<Leases> {
    const database = await documentStore.database(PROCESSES_DATABASE);
    await database.ensure(processCollections);
    return new Leases(database, registry);
  }

  /** Reads the leases that have ever been held, by name. @throws DocumentStoreUnavailable */
  async look(names: readonly string[]): Promise<ReadonlyMap<string, LeaseDocument>> {
    const found = await this.leases().find({ _id: { $in: [...names] } });
    return new Map(found.map((lease) => [lease._id, lease]));
  }

  /**
   * Takes a free lease; null if a living process holds it or was quicker.
   * @param found the lease as `look` found it
   * @throws DocumentStoreUnavailable
   */
  async acquire(name: string, found: LeaseDocument | undefined): Promise<Lease | null> {
    if (!found) return this.create(name);
    if (found.holder !== null && found.holder !== this.registry.id && !this.registry.isGone(found.holder)) return null;
    const token = found.token + 1;
    const { matched } = await this.leases().updateOne(
      { _id: name, token: found.token },
      { $set: { holder: this.registry.id, token } },
    );
    return matched === 1 ? { name, token } : null;
  }

  /** Gives a lease back, so that its next holder need not wait until this process counts as gone. */
  async release({ name, token }: Lease): Promise<void> {
    await this.leases().updateOne({ _id: name, token }, { $set: { holder: null } });
  }

  private async create(name: string): Promise<Lease | null> {
    try {
      await this.leases().insertOne({ _id: name, holder: this.registry.id, token: 1 });
      return { name, token: 1 };
    } catch (error) {
      if (error instanceof DuplicateKey) return null;
      throw error;
    }
  }

  private leases(): Collection<LeaseDocument> {
    return this.database.collection<LeaseDocument>('leases');
  }
}
