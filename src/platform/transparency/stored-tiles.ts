import type { Collection, DocumentDatabase } from '../documents/document-store.js';
import { HASH_BYTES } from './merkle.js';
import { parseTilePath, TILE_WIDTH, type TileName, tilePath } from './tile-paths.js';
import { ENTRY_BYTES, type Tile, type TileSource } from './tiled-tree.js';
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
