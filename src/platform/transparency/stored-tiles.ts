import type { Collection, DocumentDatabase } from '../documents/document-store.js';
import { LruMap } from '../kernel/lru-map.js';
import { HASH_BYTES, type Hash, type Subtrees } from './merkle.js';
import { parseTilePath, TILE_WIDTH, type TileName, tilePath } from './tile-paths.js';
import { ENTRY_BYTES, piecesOf, rootOf, TILE_HEIGHT, type Tile, TileDamaged, type TileSource } from './tiled-tree.js';
import { TILES, type TileDocument } from './tree.documents.js';

/**
 * Tiles in documents, one for each place. A tile begins with the smaller ones that were there before it, so any of them is
 * read from the largest.
 */
export class StoredTiles implements TileSource {
  constructor(private readonly database: Pick<DocumentDatabase, 'collection'>) {}

  async read(path: string): Promise<Buffer | null> {
    const name = parseTilePath(path);
    if (name === null) return null;
    return bytesOf(await this.tiles.findOne({ _id: placeOf(name) }), name);
  }

  /** All that is stored at a place, which may be more than the newest checkpoint covers; empty: nothing. */
  async whole(place: Omit<TileName, 'width'>): Promise<Buffer> {
    return Buffer.from((await this.tiles.findOne({ _id: placeOf(place) }))?.bytes ?? '', 'base64');
  }

  /** Reads several at once, each as `read` does: in half the time. */
  async readMany(names: readonly TileName[]): Promise<readonly (Buffer | null)[]> {
    const found = await this.tiles.find({ _id: { $in: names.map(placeOf) } });
    const byPlace = new Map(found.map((tile) => [tile._id, tile]));
    return names.map((name) => bytesOf(byPlace.get(placeOf(name)) ?? null, name));
  }

  private get tiles(): Collection<TileDocument> {
    return this.database.collection<TileDocument>(TILES);
  }
}

/** The path of the full tile at its place. */
const placeOf = (name: Omit<TileName, 'width'>): string => tilePath({ ...name, width: TILE_WIDTH });

function bytesOf(tile: TileDocument | null, { level, width }: TileName): Buffer | null {
  const bytes = Buffer.from(tile?.bytes ?? '', 'base64');
  const wanted = width * (level === 'entries' ? ENTRY_BYTES : HASH_BYTES);
  return bytes.length < wanted ? null : bytes.subarray(0, wanted);
}

/** The documents of tiles that are to be stored. Of tiles at one place, the last is the largest. */
export function tileDocuments(tiles: readonly Tile[]): TileDocument[] {
  const byPlace = new Map<string, TileDocument>();
  for (const { path, bytes } of tiles) {
    const name = parseTilePath(path);
    if (name === null) throw new RangeError(`${path} is no path of a tile`);
    const _id = placeOf(name);
    byPlace.set(_id, { _id, bytes: bytes.toString('base64') });
  }
  return [...byPlace.values()];
}

/** Roots in memory: 2 MiB. Those at the right edge and high up are in every proof, and neighbours have most in common. */
const MOST_ROOTS = 8192;
/** Tiles in memory, 32 KiB each. The level above the leaves has one for 65,536 events. */
const MOST_TILES = 32;

/** The full subtrees of the stored tree. They never change: those asked for lately are right when the tree has grown. */
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
    // The tile may have grown.
    if (known && known.length >= least) return known;
    const hashes = piecesOf(await this.stored.whole({ level, index }), HASH_BYTES);
    if (hashes.length < least) throw new TileDamaged(`the tile ${name} has ${hashes.length} hashes, not ${least}`);
    this.tiles.set(name, hashes);
    return hashes;
  }
}
