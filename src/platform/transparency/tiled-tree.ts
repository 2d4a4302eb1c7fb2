import { LruMap } from '../kernel/lru-map.js';
import { HASH_BYTES, type Hash, leafHash, nodeHash, Peaks, type Subtrees } from './merkle.js';
import { TILE_WIDTH, type TileName, tilePath } from './tile-paths.js';

/** Height of the tree that a tile holds: 256 is 2 ** 8. */
export const TILE_HEIGHT = 8;
const LENGTH_BYTES = 2;
export const ENTRY_BYTES = LENGTH_BYTES + HASH_BYTES;

/** Full tiles in memory. */
const MOST_FULL = 16;

/** Where tiles are read. */
export interface TileSource {
  /** @param path as `tilePath` writes it @returns null if there is no such tile */
  read(path: string): Promise<Buffer | null>;
}

/** A tile that is to be stored. */
export interface Tile {
  readonly path: string;
  readonly bytes: Buffer;
}

/** A tile that the tree needs is missing, or has another length than its name says. */
export class TileDamaged extends Error {}

/** A level of tiles: each hash in it is the root of a full tile below, or a leaf's. */
class Level {
  /** Hashes of the tile that is not full yet. */
  hashes: Hash[] = [];
  private peaks = new Peaks();

  constructor(
    public full: number,
    hashes: readonly Hash[],
  ) {
    for (const hash of hashes) this.push(hash);
  }

  push(hash: Hash): void {
    this.hashes.push(hash);
    this.peaks.push(hash);
  }

  /** Begins the next tile. @returns the hashes of the full one, and its root */
  next(): { readonly hashes: readonly Hash[]; readonly root: Hash } {
    const { hashes, peaks } = this;
    [this.hashes, this.peaks] = [[], new Peaks()];
    this.full += 1;
    return { hashes, root: peaks.root };
  }

  /** The root of 2 ** height hashes from `first`, without hashing them again if they are the rightmost. */
  root(height: number, first: number): Hash {
    const count = 2 ** height;
    const isRightmost = first === Math.floor(this.hashes.length / count - 1) * count;
    return (isRightmost ? this.peaks.of(height) : null) ?? rootOf(this.hashes.slice(first, first + count));
  }
}

/**
 * A Merkle tree in tiles, which grows at its right edge. Only the edge is in memory: 255 hashes a level at most.
 *
 * Leaves have 32 bytes of data.
 */
export class TiledTree implements Subtrees {
  private readonly levels: Level[] = [new Level(0, [])];
  /** The entries of the bundle that is not full yet. */
  private readonly entries: Buffer[] = [];
  private readonly unsaved: Tile[] = [];
  /** The paths of the tiles at the edge that are stored. */
  private edge: ReadonlySet<string> = new Set();
  /** A proof looks at few tiles, and at each of them several times. */
  private readonly fullTiles = new LruMap<string, readonly Hash[]>(MOST_FULL);
  private leaves = 0;

  private constructor(private readonly source: TileSource) {}

  /** Reads the right edge of the tree of `size` leaves. Tiles beyond it are not looked at. @throws TileDamaged */
  static async open(source: TileSource, size: number): Promise<TiledTree> {
    const tree = new TiledTree(source);
    tree.leaves = size;
    for (let level = 0, count = size; level === 0 || count > 0; level++, count = Math.floor(count / TILE_WIDTH)) {
      const [full, width] = [Math.floor(count / TILE_WIDTH), count % TILE_WIDTH];
      const bytes = await tree.partOf({ level, index: full, width }, HASH_BYTES);
      tree.levels[level] = new Level(full, piecesOf(bytes, HASH_BYTES));
    }
    const name: TileName = { level: 'entries', index: Math.floor(size / TILE_WIDTH), width: size % TILE_WIDTH };
    tree.entries.push(...piecesOf(await tree.partOf(name, ENTRY_BYTES), ENTRY_BYTES));
    tree.edge = new Set(tree.edgeTiles().map(({ path }) => path));
    return tree;
  }

  get size(): number {
    return this.leaves;
  }

  /** Adds a leaf with 32 bytes of data. @throws RangeError for another length */
  add(data: Buffer): void {
    if (data.length !== HASH_BYTES) throw new RangeError(`the data of a leaf has ${HASH_BYTES} bytes`);
    this.entries.push(bundleOf([data]));
    if (this.entries.length === TILE_WIDTH) {
      const index = Math.floor(this.leaves / TILE_WIDTH);
      this.unsaved.push(tileOf({ level: 'entries', index, width: TILE_WIDTH }, this.entries.splice(0)));
    }
    this.push(0, leafHash(data));
    this.leaves += 1;
  }

  /**
   * Takes the tiles that have changed since the last time, full ones first, lower levels first. A checkpoint of the present
   * size needs all of them stored.
   */
  takeUnsaved(): readonly Tile[] {
    const atEdge = this.edgeTiles();
    const changed = [...this.unsaved.splice(0), ...atEdge.filter(({ path }) => !this.edge.has(path))];
    this.edge = new Set(atEdge.map(({ path }) => path));
    return changed;
  }

  /** @throws TileDamaged */
  async root(height: number, index: number): Promise<Hash> {
    const level = Math.floor(height / TILE_HEIGHT);
    const count = 2 ** (height % TILE_HEIGHT);
    const from = index * count;
    const tile = Math.floor(from / TILE_WIDTH);
    const edge = this.levels[level];
    const first = from % TILE_WIDTH;
    if (edge && tile < edge.full) return rootOf((await this.fullTile(level, tile)).slice(first, first + count));
    if (!edge || tile > edge.full || first + count > edge.hashes.length)
      throw new RangeError(`the tree has no subtree ${height}/${index}`);
    return edge.root(height % TILE_HEIGHT, first);
  }

  private push(at: number, hash: Hash): void {
    const level = this.levels[at] ?? new Level(0, []);
    this.levels[at] = level;
    level.push(hash);
    if (level.hashes.length < TILE_WIDTH) return;
    const index = level.full;
    const { hashes, root } = level.next();
    this.unsaved.push(tileOf({ level: at, index, width: TILE_WIDTH }, hashes));
    this.push(at + 1, root);
  }

  private edgeTiles(): readonly Tile[] {
    const bundle = { level: 'entries' as const, full: Math.floor(this.leaves / TILE_WIDTH), parts: this.entries };
    const tiles = this.levels.map(({ full, hashes }, level) => ({ level, full, parts: hashes }));
    return [bundle, ...tiles]
      .filter(({ parts }) => parts.length > 0)
      .map(({ level, full, parts }) => tileOf({ level, index: full, width: parts.length }, parts));
  }

  private async fullTile(level: number, index: number): Promise<readonly Hash[]> {
    const path = tilePath({ level, index, width: TILE_WIDTH });
    const known = this.fullTiles.get(path);
    if (known) return known;
    const hashes = await this.readFullTile(path);
    this.fullTiles.set(path, hashes);
    return hashes;
  }

  private async readFullTile(path: string): Promise<readonly Hash[]> {
    // The tile may not be stored yet.
    const bytes = this.unsaved.find((tile) => tile.path === path)?.bytes ?? (await this.source.read(path));
    if (bytes?.length !== TILE_WIDTH * HASH_BYTES) throw new TileDamaged(`${path} is missing or has another length`);
    return piecesOf(bytes, HASH_BYTES);
  }

  /** Reads the first part of a tile. Once the full tile is stored, the smaller one may be deleted. */
  private async partOf(name: TileName, each: number): Promise<Buffer> {
    const bytes = name.width * each;
    if (bytes === 0) return Buffer.alloc(0);
    const path = tilePath(name);
    const part = await this.source.read(path);
    if (part?.length === bytes) return part;
    const full = await this.source.read(tilePath({ ...name, width: TILE_WIDTH }));
    if (part !== null || full?.length !== TILE_WIDTH * each)
      throw new TileDamaged(`${path} is missing or has another length`);
    return full.subarray(0, bytes);
  }
}

const tileOf = (name: TileName, parts: readonly Buffer[]): Tile => ({
  path: tilePath(name),
  bytes: Buffer.concat(parts),
});

/** A bundle of the data of leaves: each behind its length. */
export function bundleOf(leaves: readonly Buffer[]): Buffer {
  const bundle = Buffer.alloc(leaves.length * ENTRY_BYTES);
  for (const [n, data] of leaves.entries()) {
    bundle.writeUInt16BE(data.length, n * ENTRY_BYTES);
    data.copy(bundle, n * ENTRY_BYTES + LENGTH_BYTES);
  }
  return bundle;
}

/** The data of the leaves in a bundle. */
export const entriesIn = (bundle: Buffer): Buffer[] =>
  piecesOf(bundle, ENTRY_BYTES).map((entry) => entry.subarray(LENGTH_BYTES));

/** Cuts bytes into pieces of equal length, without a copy. What is left over at the end is no piece. */
export const piecesOf = (bytes: Buffer, each: number): Buffer[] =>
  Array.from({ length: bytes.length / each }, (_, index) => bytes.subarray(index * each, (index + 1) * each));

/** The root of as many hashes as a power of two. @throws RangeError for none */
export function rootOf(hashes: readonly Hash[]): Hash {
  const [first] = hashes;
  if (!first) throw new RangeError('no hashes have no root');
  if (hashes.length === 1) return first;
  const middle = hashes.length / 2;
  return nodeHash(rootOf(hashes.slice(0, middle)), rootOf(hashes.slice(middle)));
}
