import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { DocumentStore } from '../../../src/platform/documents/document-store.js';
import { SqliteDocumentStore } from '../../../src/platform/documents/sqlite/sqlite-document-store.js';
import { newEventId } from '../../../src/platform/kernel/ids.js';
import { SqliteEventStore } from '../../../src/platform/log/sqlite/sqlite-event-store.js';
import { CheckpointFile } from '../../../src/platform/transparency/checkpoint-file.js';
import type { GivenUp } from '../../../src/platform/transparency/given-up.js';
import type { NoteReader } from '../../../src/platform/transparency/noted-checkpoints.js';
import { PublishedCheckpoint } from '../../../src/platform/transparency/published-checkpoint.js';
import { SignedCheckpoints } from '../../../src/platform/transparency/signed-checkpoints.js';
import { NoteSigner } from '../../../src/platform/transparency/signed-note.js';
import { HEADS, type HeadDocument, TREE_DATABASE } from '../../../src/platform/transparency/tree.documents.js';
import { TreeKeeper } from '../../../src/platform/transparency/tree-keeper.js';
import type { Witness } from '../../../src/platform/transparency/witness.js';
import { Witnesses } from '../../../src/platform/transparency/witnesses.js';
import { eventually } from '../eventually.js';

export interface KeptTreeOptions {
  readonly name?: string;
  readonly file?: string;
  readonly noteEvery?: number;
  readonly witnesses?: readonly Witness[];
  readonly givenUp?: readonly GivenUp[];
  readonly readers?: (documentStore: DocumentStore) => readonly NoteReader[];
}

const OFFER_EVERY_MS = 20;

/** The seed of the key of every kept tree. */
const SEED = Buffer.alloc(32, 7);

/** A log in a folder, and the keeper of its tree, without a server. */
export class KeptTree {
  /** Problems that were reported. */
  readonly problems: string[] = [];

  private constructor(
    readonly log: SqliteEventStore,
    readonly documents: SqliteDocumentStore,
    readonly signer: NoteSigner,
    readonly file: CheckpointFile,
    private readonly options: KeptTreeOptions,
  ) {}

  static async open(folder: string, options: KeptTreeOptions = {}): Promise<KeptTree> {
    const [log, documents] = [await SqliteEventStore.open(folder), await SqliteDocumentStore.open(folder)];
    const signer = new NoteSigner(options.name ?? 'chat.example.org/transparency', SEED);
    const file = new CheckpointFile(options.file ?? join(folder, 'checkpoints'));
    const tree = new KeptTree(log, documents, signer, file, options);
    tree.keeper = tree.newKeeper();
    await tree.keeper.start();
    return tree;
  }

  private keeper: TreeKeeper | null = null;

  /** Appends events that no other log has. */
  async grow(events: number): Promise<void> {
    const metadata = { actorId: null, client: 'test', at: 1, correlationId: 'test', causationId: null };
    for (let n = 0; n < events; n++) {
      const data = { random: randomBytes(16).toString('hex') };
      await this.log.append(
        `stream-${newEventId()}`,
        [{ id: newEventId(), type: 'Happened', version: 1, data, metadata }],
        'new',
      );
    }
  }

  /** The head of the tree once it has so many leaves. */
  reached(size: number): Promise<HeadDocument> {
    return eventually(async () => {
      const head = await this.head();
      if (head?.size !== size) throw new Error(`the tree has ${head?.size} leaves\n${this.problems.join('\n')}`);
      return head;
    });
  }

  async head(): Promise<HeadDocument | null> {
    const tree = await this.documents.database(TREE_DATABASE);
    try {
      return (await tree.has(HEADS)) ? await tree.collection<HeadDocument>(HEADS).findOne({ _id: 'head' }) : null;
    } finally {
      await tree.close();
    }
  }

  async published<T>(read: (published: PublishedCheckpoint) => Promise<T>): Promise<T> {
    const published = await PublishedCheckpoint.open(this.documents);
    return read(published).finally(() => published.onApplicationShutdown());
  }

  async close(): Promise<void> {
    await this.keeper?.close();
    await this.documents.close();
    await this.log.close();
  }

  private newKeeper(): TreeKeeper {
    const { log: eventStore, documents: documentStore, signer, file, problems } = this;
    const { noteEvery = 60_000, readers = () => [], witnesses = [], givenUp = [] } = this.options;
    const report = (problem: unknown): number => problems.push(String(problem));
    const checkpoints = new SignedCheckpoints({
      documentStore,
      signer,
      file,
      givenUp,
      readers: readers(documentStore),
      witnesses: new Witnesses({ witnesses, offerEvery: OFFER_EVERY_MS, report }),
      noteEvery,
      report,
    });
    return new TreeKeeper({ eventStore, documentStore, signer, checkpoints, report });
  }
}
