import { LruMap } from '../kernel/lru-map.js';
import { HASH_BYTES, type Hash, type Subtrees } from './merkle.js';
import type { StoredTiles } from './stored-tiles.js';
import { TILE_WIDTH } from './tile-paths.js';
import { piecesOf, rootOf, TILE_HEIGHT, TileDamaged } from './tiled-tree.js';

/** Roots in memory: 2 MiB. Those at the right edge and high up are in every proof, and those of neighbours have most in common. */
const MOST_ROOTS = 8192;
/** Tiles in memory, 32 KiB each. The level above the leaves has one for 65,536 events. */
const MOST_TILES = 32;

/** The full subtrees of the stored tree. They never change, so what was asked for lately is still right when the tree has grown. */
export class PublishedSubtrees implements Subtrees {
  private readonly roots = new LruMap<string, Hash>(MOST_ROOTS);
  private readonly tiles = new LruMap<string, readonly Hash[]>(MOST_TILES);

  constructor(private readonly stored: Pick<StoredTiles, 'whole'>) {}

  /** @throws TileDamaged if the tree does not have the whole subtree */
  async root(height: number, index: number): Promise<Hash> {
    const name = `${height}/${index}`;
    const known = this.roots.get(name);
    if (known) return known;
    const level = Math.floor(height / TILE_HEIGHT);
    const count = 2 ** (height % TILE_HEIGHT);
    const from = index * count;
    const first = from % TILE_WIDTH;
    const hashes = await this.hashesOf(level, Math.floor(from / TILE_WIDTH), first + count);
    const root = rootOf(hashes.slice(first, first + count));
    this.roots.set(name, root);
    return root;
  }

  /** @param least number of hashes that the tile must have */
  private async hashesOf(level: number, index: number, least: number): Promise<readonly Hash[]> {
    const name = `${level}/${index}`;
    const known = this.tiles.get(name);
    // It may have grown.
    if (known && known.length >= least) return known;
    const hashes = piecesOf(await this.stored.whole({ level, index }), HASH_BYTES);
    if (hashes.length < least) throw new TileDamaged(`the tile ${name} has ${hashes.length} hashes, not ${least}`);
    this.tiles.set(name, hashes);
    return hashes;
  }
}
