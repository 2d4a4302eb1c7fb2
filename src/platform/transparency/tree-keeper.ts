import { type Fence, Fenced, writeBehind } from '../cluster/fence.js';
import type { CollectionWrites, DocumentDatabase, DocumentStore, StoredDocument } from '../documents/document-store.js';
import { isUnavailability } from '../engines/unavailability.js';
import { pause } from '../kernel/pause.js';
import { type Position, START } from '../kernel/position.js';
import type { Batch, EventStore } from '../log/event-store.js';
import { followLog } from '../log/follow-log.js';
import { leafOf } from './leaf.js';
import { type Head, treeRoot } from './merkle.js';
import type { SignedCheckpoints } from './signed-checkpoints.js';
import { checkpointText, type NoteSigner } from './signed-note.js';
import { StoredTiles, tileDocuments } from './stored-tiles.js';
import { TILE_WIDTH } from './tile-paths.js';
import { TileDamaged, TiledTree } from './tiled-tree.js';
import {
  HEADS,
  type HeadDocument,
  LEAVES,
  type LeavesDocument,
  TILES,
  TREE_DATABASE,
  treeCollections,
} from './tree.documents.js';

/** Milliseconds from one step of the tree to the next: events that come meanwhile are stored together. */
const STEP_MS = 100;
const OPEN_AGAIN_MS = 1000;
/** Leaves that are stored together, at most. */
const BATCH = 2000;

interface TreeKeeperOptions {
  readonly eventStore: EventStore;
  readonly documentStore: DocumentStore;
  readonly signer: NoteSigner;
  /** What was signed. The keeper closes it. */
  readonly checkpoints: SignedCheckpoints;
  /** Set if several processes take turns. */
  readonly shared?: { readonly fence: Fence; readonly onFenced: () => void };
  readonly report: (error: unknown) => void;
}

/** The tree as far as it is stored, with leaves that are to be stored next. */
interface Growing {
  readonly tree: TiledTree;
  /** Of the leaves in the tile that is not full yet. */
  positions: Position[];
}

/**
 * Follows the log and keeps its Merkle tree (D15). Tiles, the head and its signed checkpoint are stored in one
 * transaction, after the events that they cover: nobody reads a checkpoint before its tiles. The tree is derived: it can
 * be built again from the log, and is the same.
 */
export class TreeKeeper {
  /** What the others append at their end is to be in the tree. */
  readonly closesLast = true;
  private database: DocumentDatabase | null = null;
  private growing: Growing | null = null;
  private position: Position = START;
  /** Whether the tree has all but the newest events, and can be stored. */
  private isCaughtUp = false;
  private readonly stopping = new AbortController();
  private starting: Promise<void> = Promise.resolve();
  private running: Promise<void> = Promise.resolve();

  constructor(private readonly options: TreeKeeperOptions) {}

  /** Resolves when it follows the log. @throws Fenced if another process has taken over */
  start(): Promise<void> {
    this.starting = this.follow();
    return this.starting;
  }

  /**
   * Takes in the events that the log has by now, instead of following it.
   * @param signal aborts when that has taken too long: the tree then has some of them
   */
  async takeIn(signal: AbortSignal): Promise<void> {
    // No step waits for further events.
    this.stopping.abort();
    await this.openDatabase();
    await this.deliverAll(signal);
  }

  async close(): Promise<void> {
    this.stopping.abort();
    // Whoever started it hears of a failure.
    await this.starting.catch(() => {});
    await this.running;
    await this.takeLast();
    await this.options.checkpoints.close();
    await this.database?.close();
  }

  private async follow(): Promise<void> {
    if (this.stopping.signal.aborted) return;
    try {
      await this.openDatabase();
    } catch (error) {
      // A process that was killed may hold the documents for a while.
      if (!isUnavailability(error) || error instanceof Fenced) throw error;
      this.interrupted(error);
      this.running = this.openLater(String(error));
      return;
    }
    this.running = this.followLog();
  }

  /** Takes in the events since the last step, so that a log that was closed in order has none behind its tree. */
  private async takeLast(): Promise<void> {
    if (!this.isCaughtUp) return;
    try {
      await this.deliverAll();
    } catch {
      // The next start takes them in.
    }
  }

  private async deliverAll(signal?: AbortSignal): Promise<void> {
    const { eventStore } = this.options;
    const head = await eventStore.head();
    for (let isLast = false; !isLast && !signal?.aborted; ) {
      const batch = await eventStore.readAll({ after: this.position, limit: BATCH });
      await this.deliver(batch);
      isLast = batch.caughtUp || batch.position >= head;
    }
  }

  /** @param reported the problem that is reported already */
  private async openLater(reported: string): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      await pause(OPEN_AGAIN_MS, signal);
      try {
        if (!signal.aborted) await this.openDatabase();
      } catch (error) {
        if (String(error) !== reported) this.interrupted(error);
        reported = String(error);
        continue;
      }
      await this.followLog();
    }
  }

  private async openDatabase(): Promise<void> {
    const { documentStore, shared, checkpoints } = this.options;
    const database = this.database ?? (await documentStore.database(TREE_DATABASE));
    this.database = database;
    await database.ensure(treeCollections);
    await shared?.fence.close(database);
    // A file of checkpoints that cannot be read keeps the process from its start.
    await checkpoints.open(database, shared?.fence);
    this.position = (await database.checkpoint()) ?? START;
  }

  private followLog(): Promise<void> {
    const { signal } = this.stopping;
    return followLog(this.options.eventStore, {
      after: () => this.position,
      batchSize: BATCH,
      signal,
      deliver: (batch) => this.deliver(batch),
      interrupted: (error) => this.interrupted(error),
    });
  }

  private interrupted(error: unknown): void {
    this.isCaughtUp = false;
    if (error instanceof Fenced) {
      this.stopping.abort();
      this.options.shared?.onFenced();
    } else this.options.report(error);
  }

  private async deliver(batch: Batch): Promise<void> {
    const { database } = this;
    // The first batch comes at once, even if it is empty: the stored tree is checked then.
    if (database === null) return;
    if (batch.events.length === 0 && this.growing !== null) {
      this.isCaughtUp = batch.caughtUp;
      return;
    }
    const begun = performance.now();
    const growing = this.growing ?? (await this.open(database));
    this.growing = growing;
    try {
      await this.store(database, growing, batch);
    } catch (error) {
      // The tree is read anew: some of the leaves may be stored.
      this.growing = null;
      this.position = (await database.checkpoint()) ?? START;
      throw error;
    }
    this.isCaughtUp = batch.caughtUp;
    const left = begun + STEP_MS - performance.now();
    if (batch.caughtUp && left > 0) await pause(left, this.stopping.signal);
  }

  /** @throws TileDamaged if the stored tree cannot be gone on with: it is built anew */
  private async open(database: DocumentDatabase): Promise<Growing> {
    const { checkpoints, shared } = this.options;
    await checkpoints.open(database, shared?.fence);
    try {
      const growing = await storedTree(database);
      await checkpoints.maySign(growing.tree, false);
      return growing;
    } catch (error) {
      if (!(error instanceof TileDamaged)) throw error;
      const writes = Object.keys(treeCollections).map((collection) => ({
        collection,
        operations: [{ deleteMany: { filter: {} } }],
      }));
      await writeBehind(shared?.fence, database, { writes, checkpoint: START });
      this.position = START;
      throw error;
    }
  }

  private async store(database: DocumentDatabase, growing: Growing, { events, caughtUp }: Batch): Promise<void> {
    const { tree } = growing;
    const leaves: LeavesDocument[] = [];
    for (const event of events) {
      tree.add(leafOf(event).data);
      growing.positions.push(event.position);
      if (growing.positions.length < TILE_WIDTH) continue;
      leaves.push(leavesDocument(tree.size / TILE_WIDTH - 1, growing.positions));
      growing.positions = [];
    }
    if (growing.positions.length > 0)
      leaves.push(leavesDocument(Math.floor(tree.size / TILE_WIDTH), growing.positions));
    const last = events.at(-1);
    if (tree.size === 0) return;
    const position = last?.position ?? this.position;
    const head = { size: tree.size, root: await treeRoot(tree.size, tree) };
    const note = (await this.options.checkpoints.maySign(tree, caughtUp)) ? this.sign(head) : null;
    const document = this.documentOf(head, position, note);
    const writes = [put(TILES, tileDocuments(tree.takeUnsaved())), put(LEAVES, leaves), put(HEADS, [document])];
    await writeBehind(this.options.shared?.fence, database, {
      writes,
      checkpoint: position,
      ...(last && { event: last }),
    });
    this.position = position;
    if (note !== null) this.options.checkpoints.signed(head, note);
  }

  private sign({ size, root }: Head): string {
    const { signer } = this.options;
    return signer.sign(checkpointText({ origin: signer.name, size, root }));
  }

  private documentOf({ size, root }: Head, position: Position, note: string | null): HeadDocument {
    const verifier = String(this.options.signer.verifier);
    return { _id: 'head', size, root: root.toString('base64'), position, note, verifier };
  }
}

async function storedTree(database: DocumentDatabase): Promise<Growing> {
  const head = await database.collection<HeadDocument>(HEADS).findOne({ _id: 'head' });
  const size = head?.size ?? 0;
  const [index, rest] = [Math.floor(size / TILE_WIDTH), size % TILE_WIDTH];
  const stored = rest === 0 ? null : await database.collection<LeavesDocument>(LEAVES).findOne({ _id: index });
  return {
    tree: await TiledTree.open(new StoredTiles(database), size),
    positions: [...(stored?.positions ?? [])].slice(0, rest),
  };
}

const leavesDocument = (_id: number, positions: readonly Position[]): LeavesDocument => ({
  _id,
  first: positions[0] ?? START,
  positions: [...positions],
});

const put = (collection: string, documents: readonly StoredDocument[]): CollectionWrites => ({
  collection,
  operations: documents.map((replacement) => ({
    replaceOne: { filter: { _id: replacement._id }, replacement, upsert: true },
  })),
});
