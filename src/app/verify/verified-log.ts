import type { Position } from '../../platform/kernel/position.js';
import { type GivenUp, isGivenUp } from '../../platform/transparency/given-up.js';
import { HASH_BYTES, type Hash, nodeHash, type Subtrees, treeRoot } from '../../platform/transparency/merkle.js';
import type { PublishedTree } from '../../platform/transparency/published-tree.js';
import { TILE_WIDTH, tilePath } from '../../platform/transparency/tile-paths.js';
import { rootOf, TILE_HEIGHT } from '../../platform/transparency/tiled-tree.js';
import type { HeadDocument } from '../../platform/transparency/tree.documents.js';
import type { ChunkReport, VerifiedParts } from './chunk.js';
import { endedKeysAfter, keysLeft, type MissingKey } from './verify-keys.js';

/** A checkpoint that was noted earlier. */
export interface Noted {
  /** The name of the log that signed it. */
  readonly origin: string;
  readonly size: number;
  /** Base64. */
  readonly root: string;
  /** Where it was noted. */
  readonly where: string;
}

/** A difference between the log, its keys and its tree. The message names it. */
export class NotRight extends Error {
  override readonly name = 'NotRight';
}

/** What is known of the parts that were compared so far; JSON. */
interface VerifiedState {
  readonly size: number;
  readonly tileRoots: readonly string[];
  readonly streams: readonly (readonly [stream: string, last: number])[];
  readonly missingKeys: readonly MissingKey[];
  readonly endedKeys: readonly string[];
}

/** Puts the parts of a log together, in their order, and checks what no part can tell alone. */
export class VerifiedLog {
  private size = 0;
  private readonly tileRoots: string[] = [];
  /** The last revision of each stream. */
  private readonly streams = new Map<string, number>();
  private readonly missingKeys = new Map<string, MissingKey>();
  private readonly endedKeys = new Set<string>();

  static from(state: VerifiedState): VerifiedLog {
    const log = new VerifiedLog();
    log.size = state.size;
    log.tileRoots.push(...state.tileRoots);
    for (const [stream, last] of state.streams) log.streams.set(stream, last);
    for (const key of state.missingKeys) log.missingKeys.set(key[0], key);
    for (const keyId of state.endedKeys) log.endedKeys.add(keyId);
    return log;
  }

  get state(): VerifiedState {
    const { size, tileRoots, streams, missingKeys, endedKeys } = this;
    return {
      size,
      tileRoots,
      streams: [...streams],
      missingKeys: [...missingKeys.values()],
      endedKeys: [...endedKeys],
    };
  }

  /** Number of events that were compared. */
  get events(): number {
    return this.size;
  }

  /** The last revision of a stream that was compared; -1 if there is none. */
  lastRevisionOf(stream: string): number {
    return this.streams.get(stream) ?? -1;
  }

  /** @throws NotRight */
  add(report: ChunkReport, to: number): void {
    if (report.fault !== null) throw new NotRight(report.fault);
    for (const [stream, first, last] of report.streams) {
      const before = this.lastRevisionOf(stream);
      if (first !== before + 1) throw new NotRight(holeIn(stream, before, first));
      this.streams.set(stream, last);
    }
    this.tileRoots.push(...report.tileRoots);
    for (const keyId of report.endedKeys) {
      this.endedKeys.add(keyId);
      this.missingKeys.delete(keyId);
    }
    for (const key of report.missingKeys)
      if (!this.endedKeys.has(key[0]) && !this.missingKeys.has(key[0])) this.missingKeys.set(key[0], key);
    this.size = to;
  }

  /** Passes over the missing keys of events before a position, which the log gave up. @returns how many there are */
  async giveUpKeys(
    before: Position,
    head: HeadDocument,
    { eventStore }: Pick<VerifiedParts, 'eventStore'>,
  ): Promise<number> {
    await this.passOverEnded(head, eventStore);
    const givenUp = [...this.missingKeys.values()].filter(([, , position]) => position < before);
    for (const [keyId] of givenUp) this.missingKeys.delete(keyId);
    return givenUp.length;
  }

  /**
   * Checks keys, the upper levels of the tree, its root and earlier checkpoints.
   * @returns the number of checkpoints that the log contradicts because it gave them up
   * @throws NotRight
   */
  async end(
    head: HeadDocument,
    { tree, eventStore, contentKeys }: Pick<VerifiedParts, 'tree' | 'eventStore' | 'contentKeys'>,
    noted: readonly Noted[],
    givenUp: readonly GivenUp[] = [],
  ): Promise<number> {
    await this.passOverEnded(head, eventStore);
    for (const [keyId, event] of this.missingKeys.values())
      throw new NotRight(`the key ${keyId} of ${event} is missing, and no event tells that it was destroyed`);
    const [kept] = await keysLeft([...this.endedKeys], contentKeys);
    if (kept !== undefined)
      throw new NotRight(
        `the key ${kept} is there, and an event tells that its content was deleted: a start of the server destroys it`,
      );
    await this.compareTiles(tree);
    const last = (await tree.leaves(Math.floor((head.size - 1) / TILE_WIDTH)))?.positions[(head.size - 1) % TILE_WIDTH];
    if (last !== head.position)
      throw new NotRight(`the head of the tree is at position ${head.position}, and its last event at ${last}`);
    const whole = new VerifiedTree(this.tileRoots, tree);
    const rootAt = async (size: number): Promise<string> => (await treeRoot(size, whole)).toString('base64');
    if ((await rootAt(head.size)) !== head.root)
      throw new NotRight(`the head of the tree (${head.size} events) has another root than its tiles`);
    let contradicted = 0;
    for (const checkpoint of [...noted].sort((one, other) => one.size - other.size)) {
      const { size, root, where } = checkpoint;
      const isRight = size <= head.size && (await rootAt(size)) === root;
      if (isRight) continue;
      if (isGivenUp(checkpoint, givenUp)) {
        contradicted += 1;
        continue;
      }
      if (size > head.size)
        throw new NotRight(
          `the checkpoint of ${size} events in ${where} is larger than the log (${head.size}): events are lost`,
        );
      throw new NotRight(
        `the log contradicts the checkpoint of ${size} events in ${where}: it was changed since, or is another`,
      );
    }
    return contradicted;
  }

  /** The log may have grown since the tree was read. Keys are destroyed after the event that tells it. */
  private async passOverEnded(head: HeadDocument, eventStore: VerifiedParts['eventStore']): Promise<void> {
    if (this.missingKeys.size === 0) return;
    for (const keyId of await endedKeysAfter(head.position, eventStore)) this.missingKeys.delete(keyId);
  }

  private async compareTiles(tree: PublishedTree): Promise<void> {
    let below: readonly Hash[] = this.tileRoots.map((root) => Buffer.from(root, 'base64'));
    for (let level = 1; below.length > 0; level++) {
      const above: Hash[] = [];
      for (let n = 0; n < below.length; n += TILE_WIDTH) {
        const hashes = below.slice(n, n + TILE_WIDTH);
        const path = tilePath({ level, index: n / TILE_WIDTH, width: hashes.length });
        if (!(await tree.tiles.read(path))?.equals(Buffer.concat(hashes)))
          throw new NotRight(`${path} of the tree does not have the roots of the tiles below it`);
        if (hashes.length === TILE_WIDTH) above.push(rootOf(hashes));
      }
      below = above;
    }
  }
}

const holeIn = (stream: string, before: number, first: number): string =>
  first > before + 1
    ? `${stream} has no revision ${before + 1}: it goes on with ${first}`
    : `${stream} has revision ${first} after ${before}`;

/** The tree of verified tiles: what is above them is in memory, for as many checkpoints as were ever noted. */
class VerifiedTree implements Subtrees {
  /** Roots of full subtrees by their height above the tiles. */
  private readonly heights: (readonly Hash[])[];
  private tile: { readonly index: number; readonly bytes: Buffer } | null = null;

  constructor(
    tileRoots: readonly string[],
    private readonly tree: PublishedTree,
  ) {
    this.heights = [tileRoots.map((root) => Buffer.from(root, 'base64'))];
    for (let below = this.heights[0] ?? []; below.length > 1; ) {
      const above: Hash[] = [];
      for (let n = 0; n + 1 < below.length; n += 2) above.push(nodeHash(below[n] ?? NONE, below[n + 1] ?? NONE));
      this.heights.push(above);
      below = above;
    }
  }

  /** @throws NotRight if a tile is gone meanwhile */
  async root(height: number, index: number): Promise<Hash> {
    if (height >= TILE_HEIGHT) return this.heights[height - TILE_HEIGHT]?.[index] ?? missing(height, index);
    const count = 2 ** height;
    const first = index * count;
    const hashes = await this.hashesOf(Math.floor(first / TILE_WIDTH), (first % TILE_WIDTH) + count);
    return rootOf(hashes.slice(first % TILE_WIDTH));
  }

  private async hashesOf(index: number, width: number): Promise<readonly Hash[]> {
    if (this.tile?.index !== index || this.tile.bytes.length < width * HASH_BYTES) {
      const bytes = await this.tree.tiles.read(tilePath({ level: 0, index, width }));
      if (bytes === null) return missing(0, index);
      this.tile = { index, bytes };
    }
    const { bytes } = this.tile;
    return Array.from({ length: width }, (_, n) => bytes.subarray(n * HASH_BYTES, (n + 1) * HASH_BYTES));
  }
}

const NONE = Buffer.alloc(0);

function missing(height: number, index: number): never {
  throw new NotRight(`the tree has no subtree ${height}/${index} any more`);
}
