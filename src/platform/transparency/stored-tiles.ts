import type { DocumentDatabase } from '../documents/document-store.js';
import { HASH_BYTES } from './merkle.js';
import { parseTilePath, TILE_WIDTH, tilePath } from './tile-paths.js';
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
    const tile = await this.database
      .collection<TileDocument>(TILES)
      .findOne({ _id: tilePath({ ...name, width: TILE_WIDTH }) });
    const bytes = Buffer.from(tile?.bytes ?? '', 'base64');
    const wanted = name.width * (name.level === 'entries' ? ENTRY_BYTES : HASH_BYTES);
    return bytes.length < wanted ? null : bytes.subarray(0, wanted);
  }
}

/** The documents of tiles that are to be stored. Of tiles at one place, the last is the largest. */
export function tileDocuments(tiles: readonly Tile[]): TileDocument[] {
  const byPlace = new Map<string, TileDocument>();
  for (const { path, bytes } of tiles) {
    const name = parseTilePath(path);
    if (name === null) throw new RangeError(`${path} is no path of a tile`);
    const _id = tilePath({ ...name, width: TILE_WIDTH });
    byPlace.set(_id, { _id, bytes: bytes.toString('base64') });
  }
  return [...byPlace.values()];
}
