import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  consistencyProof,
  inclusionProof,
  leafHash,
  provesConsistency,
  treeRoot,
} from '../../../src/platform/transparency/merkle.js';
import { parseTilePath, tilePath } from '../../../src/platform/transparency/tile-paths.js';
import { TileDamaged, TiledTree } from '../../../src/platform/transparency/tiled-tree.js';
import { provesInclusion } from './proves-inclusion.js';

const dataOf = (index: number): Buffer => createHash('sha256').update(`annals test event ${index}`).digest();

/** Tiles in memory. */
class Tiles {
  readonly stored = new Map<string, Buffer>();

  async read(path: string): Promise<Buffer | null> {
    return this.stored.get(path) ?? null;
  }

  store(tree: TiledTree): readonly string[] {
    const tiles = tree.takeUnsaved();
    for (const { path, bytes } of tiles) this.stored.set(path, bytes);
    return tiles.map(({ path }) => path);
  }
}

const grow = (tree: TiledTree, size: number): void => {
  for (let index = tree.size; index < size; index++) tree.add(dataOf(index));
};

async function grown(size: number): Promise<{ tiles: Tiles; tree: TiledTree }> {
  const tiles = new Tiles();
  const tree = await TiledTree.open(tiles, 0);
  grow(tree, size);
  tiles.store(tree);
  return { tiles, tree };
}

const rootIn = async (tree: TiledTree, size = tree.size): Promise<string> =>
  (await treeRoot(size, tree)).toString('base64');

describe('a tree in tiles', () => {
  it('has the tiles that other programs make', async () => {
    const { tiles, tree } = await grown(70_000);
    const digests = [
      'tile/0/273.p/112',
      'tile/1/000',
      'tile/1/001.p/17',
      'tile/2/000.p/1',
      'tile/entries/273.p/112',
    ].map((path) =>
      createHash('sha256')
        .update(tiles.stored.get(path) ?? '')
        .digest('hex'),
    );
    expect(digests).toEqual([
      '8dabe9023afd6e68241374e42d2f079737b27d7affb4474d91722f5d043bdf93',
      '8ef9cb90c57aea0364627bab81457a6233372327fcc5aa825ebc14dfd66b78a5',
      'bda7c27930b12e35227d2d9d1bf430af1240c7a6652eac7986a52ba64943967a',
      '6c2dcca81749a54e8a31ebc9a1c81c3846481fa3d8e6a1a454ddcdcac7d65289',
      'cf4f76751c937586573b73fc71ef246952b4ee7d8c0624a767b18faec5cee512',
    ]);
    expect(await rootIn(tree)).toBe('lGQMnDgPTshwui2mJXtqKYmwfDOcPzYJOb5qLqdOG5Y=');
    expect(await rootIn(tree, 257)).toBe('CzaO1kF+UkQLNsz0Tj7hu40k4dhlawtZlq92WiLnKBI=');
  });

  it('stores a tile when it has changed, full ones once, lower levels first', async () => {
    const tiles = new Tiles();
    const tree = await TiledTree.open(tiles, 0);
    expect(tiles.store(tree)).toEqual([]);
    grow(tree, 3);
    expect(tiles.store(tree)).toEqual(['tile/entries/000.p/3', 'tile/0/000.p/3']);
    expect(tiles.store(tree)).toEqual([]);
    grow(tree, 256);
    expect(tiles.store(tree)).toEqual(['tile/entries/000', 'tile/0/000', 'tile/1/000.p/1']);
    grow(tree, 260);
    expect(tiles.store(tree)).toEqual(['tile/entries/001.p/4', 'tile/0/001.p/4']);
  });

  it('goes on from its right edge to the same tiles, wherever it was interrupted', async () => {
    const whole = await grown(1100);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(1100), { maxLength: 5 }), async (sizes) => {
        const tiles = new Tiles();
        for (const size of [...sizes.sort((a, b) => a - b), 1100]) {
          const saved = await TiledTree.open(tiles, [...sizes].reverse().find((one) => one < size) ?? 0);
          grow(saved, size);
          tiles.store(saved);
          expect(await rootIn(saved)).toBe(await rootIn(whole.tree, size));
        }
        for (const [path, bytes] of whole.tiles.stored) expect(tiles.stored.get(path)).toEqual(bytes);
      }),
      { numRuns: 20 },
    );
  });

  it('proves leaves and older sizes from stored tiles, and from those that are not stored yet', async () => {
    const { tree } = await grown(700);
    grow(tree, 1300);
    const root = await treeRoot(1300, tree);
    for (const index of [0, 255, 256, 699, 700, 1023, 1024, 1299]) {
      const proof = await inclusionProof(index, 1300, tree);
      expect(provesInclusion({ leaf: leafHash(dataOf(index)), index, size: 1300, root }, proof)).toBe(true);
    }
    for (const older of [1, 255, 256, 257, 700, 1024, 1299]) {
      const proof = await consistencyProof(older, 1300, tree);
      const old = { size: older, root: await treeRoot(older, tree) };
      expect(provesConsistency(old, { size: 1300, root }, proof)).toBe(true);
    }
  });

  it('opens with full tiles in place of the smaller ones, which may be deleted', async () => {
    const { tiles } = await grown(300);
    const later = await TiledTree.open(tiles, 300);
    grow(later, 600);
    tiles.store(later);
    for (const path of [...tiles.stored.keys()]) if (path.includes('.p/')) tiles.stored.delete(path);
    const at = await TiledTree.open(
      { read: async (path) => (path === 'tile/1/000' ? full(later) : tiles.read(path)) },
      300,
    );
    expect(await rootIn(at)).toBe(await rootIn(later, 300));
  });

  /** A full tile of level 1 that begins as the tree does. */
  function full(tree: TiledTree): Promise<Buffer> {
    return Promise.all([tree.root(8, 0), tree.root(8, 1)]).then((first) =>
      Buffer.concat([...first, Buffer.alloc(254 * 32)]),
    );
  }

  it.each([
    ['missing', 'tile/0/001.p/44', null],
    ['too short', 'tile/0/001.p/44', Buffer.alloc(32)],
    ['too long', 'tile/entries/001.p/44', Buffer.alloc(45 * 34)],
  ])('is not opened if a tile is %s', async (_, path, bytes) => {
    const { tiles } = await grown(300);
    if (bytes) tiles.stored.set(path, bytes);
    else tiles.stored.delete(path);
    await expect(TiledTree.open(tiles, 300)).rejects.toThrow(TileDamaged);
  });

  it('has no roots of what is not there', async () => {
    const { tree, tiles } = await grown(300);
    await expect(tree.root(0, 300)).rejects.toThrow(RangeError);
    await expect(tree.root(9, 0)).rejects.toThrow(RangeError);
    expect(() => tree.add(Buffer.alloc(31))).toThrow(RangeError);
    tiles.stored.delete('tile/0/000');
    await expect(tree.root(0, 0)).rejects.toThrow(TileDamaged);
  });
});

describe('the path of a tile', () => {
  it.each([
    [{ level: 0, index: 0, width: 256 }, 'tile/0/000'],
    [{ level: 1, index: 1000, width: 17 }, 'tile/1/x001/000.p/17'],
    [{ level: 'entries' as const, index: 1_234_067, width: 255 }, 'tile/entries/x001/x234/067.p/255'],
  ])('%j is %s', (name, path) => {
    expect(tilePath(name)).toBe(path);
    expect(parseTilePath(path)).toEqual(name);
  });

  it.each([
    ...['', 'tile/0', 'tile/00/000', 'tile/64/000', 'tile/0/0', 'tile/0/0000', 'tile/0/x000/000', 'tile/0/001/002'],
    ...['tile/0/000.p/0', 'tile/0/000.p/256', 'tile/0/000.p/01', 'tile/0/000/', '/tile/0/000', 'tile/0/../000'],
    ...['tile/0/x999/x999/x999/x999/x999/999', 'tile/x/000', 'tile/entries/x1/000'],
  ])('is not %j', (path) => {
    expect(parseTilePath(path)).toBeNull();
  });
});
