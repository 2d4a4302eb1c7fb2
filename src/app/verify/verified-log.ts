import { type Hash, treeRoot } from '../../platform/transparency/merkle.js';
import type { PublishedTree } from '../../platform/transparency/published-tree.js';
import { TILE_WIDTH, tilePath } from '../../platform/transparency/tile-paths.js';
import { rootOf, TiledTree } from '../../platform/transparency/tiled-tree.js';
import type { HeadDocument } from '../../platform/transparency/tree.documents.js';
import type { ChunkReport } from './verify-chunk.js';

/** A checkpoint that was noted earlier. */
export interface Noted {
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
export interface VerifiedState {
  readonly size: number;
  readonly tileRoots: readonly string[];
  readonly streams: readonly (readonly [stream: string, last: number])[];
  readonly missingKeys: readonly (readonly [keyId: string, event: string])[];
  readonly endedKeys: readonly string[];
}

/** Puts the parts of a log together, in their order, and checks what no part can tell alone. */
export class VerifiedLog {
  private size = 0;
  private readonly tileRoots: string[] = [];
  /** The last revision of each stream. */
  private readonly streams = new Map<string, number>();
  private readonly missingKeys = new Map<string, string>();
  private readonly endedKeys = new Set<string>();

  static from(state: VerifiedState): VerifiedLog {
    const log = new VerifiedLog();
    log.size = state.size;
    log.tileRoots.push(...state.tileRoots);
    for (const [stream, last] of state.streams) log.streams.set(stream, last);
    for (const [keyId, event] of state.missingKeys) log.missingKeys.set(keyId, event);
    for (const keyId of state.endedKeys) log.endedKeys.add(keyId);
    return log;
  }

  get state(): VerifiedState {
    const { size, tileRoots, streams, missingKeys, endedKeys } = this;
    return {
      size,
      tileRoots,
      streams: [...streams],
      missingKeys: [...missingKeys],
      endedKeys: [...endedKeys],
    };
  }

  /** Number of events that were compared. */
  get events(): number {
    return this.size;
  }

  /** @throws NotRight */
  add(report: ChunkReport, to: number): void {
    if (report.fault !== null) throw new NotRight(report.fault);
    for (const [stream, first, last] of report.streams) {
      const before = this.streams.get(stream) ?? -1;
      if (first !== before + 1) throw new NotRight(holeIn(stream, before, first));
      this.streams.set(stream, last);
    }
    this.tileRoots.push(...report.tileRoots);
    for (const keyId of report.endedKeys) {
      this.endedKeys.add(keyId);
      this.missingKeys.delete(keyId);
    }
    for (const [keyId, event] of report.missingKeys)
      if (!this.endedKeys.has(keyId) && !this.missingKeys.has(keyId)) this.missingKeys.set(keyId, event);
    this.size = to;
  }

  /** Checks keys, the upper levels of the tree, its root and earlier checkpoints. @throws NotRight, TileDamaged */
  async end(head: HeadDocument, tree: PublishedTree, noted: readonly Noted[]): Promise<void> {
    for (const [keyId, event] of this.missingKeys)
      throw new NotRight(`the key ${keyId} of ${event} is missing, and no event tells that it was destroyed`);
    await this.compareTiles(tree);
    const whole = await TiledTree.open(tree.tiles, head.size);
    const rootAt = async (size: number): Promise<string> => (await treeRoot(size, whole)).toString('base64');
    if ((await rootAt(head.size)) !== head.root)
      throw new NotRight(`the head of the tree (${head.size} events) has another root than its tiles`);
    for (const { size, root, where } of noted) {
      if (size > head.size)
        throw new NotRight(
          `the checkpoint of ${size} events in ${where} is larger than the log (${head.size}): events are lost`,
        );
      if ((await rootAt(size)) !== root)
        throw new NotRight(
          `the log contradicts the checkpoint of ${size} events in ${where}: it was changed since, or is another`,
        );
    }
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
