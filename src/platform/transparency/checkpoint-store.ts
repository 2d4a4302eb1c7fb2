import { type Fence, writeBehind } from '../cluster/fence.js';
import {
  type CollectionWrites,
  type DocumentDatabase,
  type DocumentStore,
  DocumentsUnusable,
  DuplicateKey,
} from '../documents/document-store.js';
import { inExisting } from '../documents/in-database.js';
import {
  ALARMS,
  type AlarmDocument,
  alarmIdOf,
  CHECKPOINTS_DATABASE,
  checkpointCollections,
  NOTED,
  type NotedDocument,
  notedId,
  SIGNED,
  type SignedDocument,
} from './checkpoint.documents.js';
import type { Head } from './merkle.js';
import type { Checkpoint } from './signed-note.js';
import { HEADS, type HeadDocument, TREE_DATABASE } from './tree.documents.js';

/** A larger checkpoint was signed with the key, or another one of the same size. */
class SignedAlready extends Error {}

/** The checkpoints of one key, in documents. */
export class CheckpointStore {
  private constructor(
    readonly database: DocumentDatabase,
    readonly verifier: string,
    private readonly fence: Fence | undefined,
  ) {}

  /** @param fence set if several processes take turns @throws Fenced */
  static async open(store: DocumentStore, verifier: string, fence?: Fence): Promise<CheckpointStore> {
    const database = await store.database(CHECKPOINTS_DATABASE);
    await database.ensure(checkpointCollections);
    await fence?.close(database);
    return new CheckpointStore(database, verifier, fence);
  }

  /** The largest head that is known here to be signed with the key. */
  async signed(): Promise<Head | null> {
    const found = await this.database.collection<SignedDocument>(SIGNED).findOne({ _id: this.verifier });
    return found && headOf(found);
  }

  /** Stores the head of a tree, which another key may have signed, unless a larger one of that key is known. @throws Fenced */
  async keep(head: SignedDocument): Promise<void> {
    try {
      await this.write([signedWrite(head._id, headOf(head))]);
    } catch (error) {
      if (!(error instanceof SignedAlready)) throw error;
    }
  }

  async newestNoted(): Promise<NotedDocument | null> {
    return newestNoted(this.database, this.verifier);
  }

  /** @throws SignedAlready, Fenced */
  putSigned(head: Head): Promise<void> {
    return this.write([signedWrite(this.verifier, head)]);
  }

  /** @throws SignedAlready, Fenced */
  async note(head: Head, note: string): Promise<NotedDocument> {
    const { verifier } = this;
    const { size } = head;
    const document = {
      _id: notedId(verifier, size),
      verifier,
      size,
      root: head.root.toString('base64'),
      note,
      at: Date.now(),
    };
    await this.write([
      signedWrite(verifier, head),
      {
        collection: NOTED,
        operations: [{ replaceOne: { filter: { _id: document._id }, replacement: document, upsert: true } }],
      },
    ]);
    return document;
  }

  alarms(): Promise<readonly AlarmDocument[]> {
    return alarmsOf(this.database, this.verifier);
  }

  /** @param source the log, or who has raised it */
  async putAlarm(source: string, reason: string, contradicted?: Checkpoint): Promise<void> {
    const _id = this.alarmId(source);
    const replacement: AlarmDocument = {
      _id,
      verifier: this.verifier,
      reason,
      ...(contradicted && { contradicted: { ...contradicted, root: contradicted.root.toString('base64') } }),
      at: Date.now(),
    };
    await this.write([
      { collection: ALARMS, operations: [{ replaceOne: { filter: { _id }, replacement, upsert: true } }] },
    ]);
  }

  async removeAlarm(_id: string): Promise<void> {
    await this.write([{ collection: ALARMS, operations: [{ deleteOne: { filter: { _id } } }] }]);
  }

  alarmId(source: string): string {
    return alarmIdOf(this.verifier, source);
  }

  async write(writes: readonly CollectionWrites[]): Promise<void> {
    try {
      await writeBehind(this.fence, this.database, { writes });
    } catch (error) {
      if (!(error instanceof DuplicateKey)) throw error;
      throw new SignedAlready(`a checkpoint that differs was signed already with the key ${this.verifier}`);
    }
  }
}

async function newestNoted(database: DocumentDatabase, verifier: string): Promise<NotedDocument | null> {
  const [newest] = await database.collection<NotedDocument>(NOTED).find({ verifier }, { sort: { size: -1 }, limit: 1 });
  return newest ?? null;
}

const alarmsOf = (database: DocumentDatabase, verifier: string): Promise<readonly AlarmDocument[]> =>
  database.collection<AlarmDocument>(ALARMS).find({ verifier });

/** Keys that a log may have signed with: one for each name. */
const MOST_KEYS = 1000;

export const allSigned = (database: DocumentDatabase): Promise<SignedDocument[]> =>
  database.collection<SignedDocument>(SIGNED).find({ _id: { $gt: '' } }, { sort: { _id: 1 }, limit: MOST_KEYS });

/** The signed checkpoint with this root that the log was found to contradict. @param root base64 @returns null if none is */
export async function alarmedHead(
  store: DocumentStore,
  root: string,
): Promise<{ readonly origin: string; readonly size: number; readonly root: string } | null> {
  return inExisting(store, CHECKPOINTS_DATABASE, checkpointCollections, async (database) => {
    const alarms = await database
      .collection<AlarmDocument>(ALARMS)
      .find({ _id: { $gt: '' } }, { sort: { _id: 1 }, limit: MOST_KEYS });
    const named = alarms.find(({ contradicted }) => contradicted?.root === root)?.contradicted;
    if (named) return named;
    // Annals 0.6.0 and older named no checkpoint in an alarm.
    const head = (await allSigned(database)).find((one) => one.root === root);
    if (!head || (await alarmsOf(database, head._id)).length === 0) return null;
    return { origin: nameIn(head._id), size: head.size, root };
  });
}

/** The head of the stored tree, if it is signed. The transaction that stores a tree stores its head, too. */
export async function signedHeadOf(tree: DocumentDatabase): Promise<SignedDocument | null> {
  const head = await tree.collection<HeadDocument>(HEADS).findOne({ _id: 'head' });
  if (!head || head.note === null || head.verifier === null) return null;
  return { _id: head.verifier, size: head.size, root: head.root };
}

/** Stores apart the head of a tree that is to be dropped: what was signed stays known. */
export async function keepSignedHead(store: DocumentStore): Promise<void> {
  if (!(await store.databases()).includes(TREE_DATABASE)) return;
  const head = await storedHead(store);
  if (head === null) return;
  const checkpoints = await CheckpointStore.open(store, head._id);
  try {
    await checkpoints.keep(head);
  } finally {
    await checkpoints.database.close();
  }
}

async function storedHead(store: DocumentStore): Promise<SignedDocument | null> {
  try {
    const tree = await store.database(TREE_DATABASE);
    try {
      return (await tree.has(HEADS)) ? await signedHeadOf(tree) : null;
    } finally {
      await tree.close();
    }
  } catch (error) {
    if (error instanceof DocumentsUnusable) return null;
    throw error;
  }
}

/** The name in a verifier key. */
export const nameIn = (verifier: string): string => verifier.split('+', 1)[0] ?? '';

export const headOf = ({ size, root }: SignedDocument): Head => ({ size, root: Buffer.from(root, 'base64') });

/** Replaces a smaller head, or the same. */
function signedWrite(verifier: string, head: Head): CollectionWrites {
  const { size } = head;
  const root = head.root.toString('base64');
  const filter = { _id: verifier, $or: [{ size: { $lt: size } }, { size, root }] };
  const replacement: SignedDocument = { _id: verifier, size, root };
  return { collection: SIGNED, operations: [{ replaceOne: { filter, replacement, upsert: true } }] };
}
