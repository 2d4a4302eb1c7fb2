import {
  type CollectionSpec,
  ConditionFailed,
  type DocumentDatabase,
  type DocumentTransaction,
  DuplicateKey,
  type Filter,
  type StoredDocument,
  type Update,
  type WholeWrite,
} from '../documents/document-store.js';
import { writeIn } from '../documents/whole-write.js';
import type { EventPlace } from '../kernel/event.js';
import type { Position } from '../kernel/position.js';

interface FenceDocument extends StoredDocument {
  readonly _id: 'fence';
  readonly token: number;
  /** Changes with each transaction, so that transactions of two holders conflict. */
  readonly entered: number;
}

const fenceCollections: Readonly<Record<string, CollectionSpec>> = { fence: {} };

/** Another process has taken over the work: this process stops it. */
export class Fenced extends Error {
  constructor(database: string) {
    super(`${database} is written by another process now`);
    this.name = 'Fenced';
  }
}

/**
 * Keeps a process that has lost its lease unawares from writing. Each transaction writes the fence's document on
 * condition of its token, and the lease's next holder has put a greater token there.
 */
export class Fence {
  private entered = 0;

  constructor(readonly token: number) {}

  /**
   * Puts this holder's token into the database, once, before it reads anything that later writes rest on. @throws
   * Fenced
   */
  async close(database: DocumentDatabase): Promise<void> {
    await database.ensure(fenceCollections);
    const fence = database.collection<FenceDocument>('fence');
    const mine: FenceDocument = { _id: 'fence', token: this.token, entered: this.entered };
    try {
      await fence.replaceOne({ _id: 'fence', token: { $lte: this.token } }, mine, { upsert: true });
    } catch (error) {
      throw error instanceof DuplicateKey ? new Fenced(database.name) : error;
    }
  }

  /** Enters the fence in a transaction under way, writes and moves the checkpoint. @throws Fenced */
  async writeIn(transaction: DocumentTransaction, database: string, write: WholeWrite): Promise<void> {
    await refusing(database, writeIn(transaction, database, this.behind(write)));
  }

  /** Enters the fence, writes and moves the checkpoint in a transaction of its own. @throws Fenced */
  async write(database: DocumentDatabase, write: WholeWrite): Promise<void> {
    await refusing(database.name, database.write(this.behind(write)));
  }

  private behind(write: WholeWrite): WholeWrite {
    return { ...write, condition: { collection: 'fence', operation: { updateOne: this.entry() } } };
  }

  private entry(): { readonly filter: Filter<FenceDocument>; readonly update: Update } {
    this.entered++;
    return { filter: { _id: 'fence', token: this.token }, update: { $set: { entered: this.entered } } };
  }
}

async function refusing(database: string, written: Promise<unknown>): Promise<void> {
  try {
    await written;
  } catch (error) {
    throw error instanceof ConditionFailed ? new Fenced(database) : error;
  }
}

/** Writes in a transaction of its own, behind the fence if processes take turns. @throws Fenced */
export async function writeBehind(
  fence: Fence | undefined,
  database: DocumentDatabase,
  write: WholeWrite,
): Promise<void> {
  await (fence ? fence.write(database, write) : database.write(write));
}

/**
 * Stores a consumer's checkpoint, behind the fence if processes take turns.
 * @param event the newest event that is known to lie at the position or before it
 * @throws Fenced
 */
export function storeCheckpoint(
  database: DocumentDatabase,
  position: Position,
  fence: Fence | undefined,
  event: EventPlace | undefined,
): Promise<void> {
  return writeBehind(fence, database, { writes: [], checkpoint: position, ...(event && { event }) });
}
