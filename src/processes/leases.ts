import {
  type Collection,
  type DocumentDatabase,
  type DocumentStore,
  DuplicateKey,
} from '../document-store/document-store.js';
import { type LeaseDocument, PROCESSES_DATABASE, processCollections } from './process.documents.js';
import type { ProcessRegistry } from './process-registry.js';

/** The right to do what only one process does, for as long as that process is alive. */
export interface Lease {
  readonly name: string;
  /** Greater than that of every holder before: a fence refuses theirs. */
  readonly token: number;
}

/** Leases are as good as their holders' beats: a process that is not heard of loses all of them. */
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

  /** Those that anybody has ever held, by name. @throws DocumentStoreUnavailable */
  async look(names: readonly string[]): Promise<ReadonlyMap<string, LeaseDocument>> {
    const found = await this.leases().find({ _id: { $in: [...names] } });
    return new Map(found.map((lease) => [lease._id, lease]));
  }

  /**
   * Takes it where nobody alive holds it; null where somebody does, or was quicker.
   * @param found what there was to see of it
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

  /** Gives it back: the next one need not wait until this process is forgotten. */
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
