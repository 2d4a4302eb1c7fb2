import { setTimeout as pause } from 'node:timers/promises';
import type { DocumentDatabase, DocumentStore } from '../documents/document-store.js';
import { ANSWER_WAIT_MS } from '../kernel/answer-wait.js';
import { UnavailableError } from '../kernel/outcome-errors.js';
import { type Position, START } from '../kernel/position.js';
import { bestCosigned, CHECKPOINTS_DATABASE, COSIGNED, type CosignedDocument } from './checkpoint.documents.js';
import type { Subtrees } from './merkle.js';
import { PublishedSubtrees, StoredTiles } from './stored-tiles.js';
import { parseTilePath, TILE_WIDTH } from './tile-paths.js';
import {
  HEADS,
  type HeadDocument,
  LEAVES,
  type LeavesDocument,
  TREE_DATABASE,
  treeCollections,
} from './tree.documents.js';

/** Milliseconds between two looks at a tree that is waited for. */
const LOOK_MS = 20;

/** The tree of the log as it is stored, whichever process keeps it. */
export class PublishedTree {
  readonly tiles: StoredTiles;
  readonly subtrees: Subtrees;

  private checkpoints: DocumentDatabase | null = null;

  private constructor(
    private readonly store: DocumentStore,
    private readonly database: DocumentDatabase,
    private readonly longestWait: number,
  ) {
    this.tiles = new StoredTiles(database);
    this.subtrees = new PublishedSubtrees(this.tiles);
  }

  /** @param longestWait milliseconds that an answer waits for the tree */
  static async open(store: DocumentStore, longestWait = ANSWER_WAIT_MS): Promise<PublishedTree> {
    const database = await store.database(TREE_DATABASE);
    await database.ensure(treeCollections);
    return new PublishedTree(store, database, longestWait);
  }

  /** Works with a tree, and closes it in the end. */
  static async within<T>(store: DocumentStore, work: (tree: PublishedTree) => Promise<T>): Promise<T> {
    const tree = await PublishedTree.open(store);
    return work(tree).finally(() => tree.onApplicationShutdown());
  }

  /** null before the first event is in the tree. */
  head(): Promise<HeadDocument | null> {
    return this.database.collection<HeadDocument>(HEADS).findOne({ _id: 'head' });
  }

  /** A tile that the newest checkpoint covers. @param path as `tilePath` writes it @returns null if there is none */
  async tile(path: string): Promise<Buffer | null> {
    const name = parseTilePath(path);
    const head = name && (await this.head());
    if (!name || !head || head.note === null) return null;
    const hashes = Math.floor(head.size / TILE_WIDTH ** (name.level === 'entries' ? 0 : name.level));
    return name.index * TILE_WIDTH + name.width > hashes ? null : this.tiles.read(path);
  }

  /** The leaves among which the position's would be. @returns null if the tree begins behind it */
  async leavesAround(position: Position): Promise<LeavesDocument | null> {
    const [leaves] = await this.database
      .collection<LeavesDocument>(LEAVES)
      .find({ first: { $lte: position } }, { sort: { first: -1 }, limit: 1 });
    return leaves ?? null;
  }

  /** The position of the leaf before. @param index a multiple of 256 @returns null if the tree does not say */
  async positionBefore(index: number): Promise<Position | null> {
    if (index === 0) return START;
    const before = await this.leaves(Math.floor((index - 1) / TILE_WIDTH));
    return before?.positions.at(-1) ?? null;
  }

  /** Where 256 neighbouring leaves are in the log. @param index of the first of them, divided by 256 */
  leaves(index: number): Promise<LeavesDocument | null> {
    return this.database.collection<LeavesDocument>(LEAVES).findOne({ _id: index });
  }

  /** What `leaves` tells of neighbours. @param first the least index divided by 256 @returns those that are there, by id */
  async leavesBetween(first: number, end: number): Promise<ReadonlyMap<number, LeavesDocument>> {
    const found = await this.database.collection<LeavesDocument>(LEAVES).find({ _id: { $gte: first, $lt: end } });
    return new Map(found.map((leaves) => [leaves._id, leaves]));
  }

  /** The cosigned checkpoint with the most cosignatures that has the event at the position; null if there is none. */
  async cosignedWith(position: Position, { verifier, size }: HeadDocument): Promise<CosignedDocument | null> {
    const stored = verifier === null ? [] : await this.cosigned(verifier);
    if (stored.length === 0) return null;
    const leaves = await this.leavesAround(position);
    const place = leaves?.positions.indexOf(position) ?? -1;
    if (!leaves || place < 0) return null;
    const index = leaves._id * TILE_WIDTH + place;
    return bestCosigned(stored.filter((checkpoint) => checkpoint.size > index && checkpoint.size <= size));
  }

  /** Waits until the event at the position is in the tree. @throws UnavailableError after `longest` milliseconds */
  async reach(position: Position, longest = this.longestWait): Promise<HeadDocument> {
    const end = performance.now() + longest;
    for (;;) {
      const head = await this.head();
      if (head && head.position >= position) return head;
      if (performance.now() > end)
        throw new UnavailableError('the tree of the log has yet to come as far as the event');
      await pause(LOOK_MS);
    }
  }

  async onApplicationShutdown(): Promise<void> {
    await this.database.close();
    await this.checkpoints?.close();
  }

  /** The documents may be read only, or older than witnesses. */
  private async cosigned(verifier: string): Promise<readonly CosignedDocument[]> {
    if (this.checkpoints === null) {
      if (!(await this.store.databases()).includes(CHECKPOINTS_DATABASE)) return [];
      this.checkpoints = await this.store.database(CHECKPOINTS_DATABASE);
    }
    if (!(await this.checkpoints.has(COSIGNED))) return [];
    return this.checkpoints.collection<CosignedDocument>(COSIGNED).find({ verifier });
  }
}
