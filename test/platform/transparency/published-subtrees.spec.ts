import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { inclusionProof, leafHash, treeRoot } from '../../../src/platform/transparency/merkle.js';
import { PublishedSubtrees } from '../../../src/platform/transparency/stored-tiles.js';
import { parseTilePath } from '../../../src/platform/transparency/tile-paths.js';
import { TileDamaged, TiledTree } from '../../../src/platform/transparency/tiled-tree.js';
import { provesInclusion } from './proves-inclusion.js';

const dataOf = (index: number): Buffer => createHash('sha256').update(`event ${index}`).digest();

/** A tree that grows, and its tiles by their places. */
async function growing() {
  const places = new Map<string, Buffer>();
  const placeOf = (path: string): string => {
    const name = parseTilePath(path);
    return `${name?.level}/${name?.index}`;
  };
  const tree = await TiledTree.open({ read: async (path) => places.get(placeOf(path)) ?? null }, 0);
  const reads: string[] = [];
  const subtrees = new PublishedSubtrees({
    whole: async ({ level, index }) => {
      reads.push(`${level}/${index}`);
      return places.get(`${level}/${index}`) ?? Buffer.alloc(0);
    },
  });
  const grow = (size: number): void => {
    while (tree.size < size) tree.add(dataOf(tree.size));
    for (const { path, bytes } of tree.takeUnsaved()) places.set(placeOf(path), bytes);
  };
  return { tree, subtrees, places, reads, grow };
}

describe('the subtrees of the stored tree', () => {
  it('prove leaves under every checkpoint, while the tree grows', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 1, max: 700 }), { minLength: 1, maxLength: 5 }),
        fc.array(fc.nat(), { minLength: 1, maxLength: 5 }),
        async (steps, picks) => {
          const { tree, subtrees, grow } = await growing();
          const sizes: number[] = [];
          for (const step of steps) {
            grow(tree.size + step);
            sizes.push(tree.size);
            for (const size of sizes) {
              const root = await treeRoot(size, subtrees);
              expect(root).toEqual(await treeRoot(size, tree));
              for (const pick of picks) {
                const index = pick % size;
                const proof = await inclusionProof(index, size, subtrees);
                expect(provesInclusion({ leaf: leafHash(dataOf(index)), index, size, root }, proof)).toBe(true);
              }
            }
          }
        },
      ),
      { numRuns: 25 },
    ));

  it('are read once', async () => {
    const { tree, subtrees, reads, grow } = await growing();
    grow(70_000);
    for (const index of [0, 1, 69_999, 300, 0]) await inclusionProof(index, tree.size, subtrees);
    expect(reads.length).toBe(new Set(reads).size);
    expect(reads).toHaveLength(6);
    grow(70_001);
    await treeRoot(70_001, subtrees);
    expect(reads).toHaveLength(7);
  });

  it('are refused where the tree does not have them', async () => {
    const { subtrees, places, grow } = await growing();
    grow(300);
    await expect(subtrees.root(0, 300)).rejects.toThrow(TileDamaged);
    await expect(subtrees.root(6, 4)).rejects.toThrow(TileDamaged);
    await expect(subtrees.root(9, 0)).rejects.toThrow(TileDamaged);
    places.set('0/0', Buffer.alloc(255 * 32));
    await expect(subtrees.root(0, 255)).rejects.toThrow(TileDamaged);
  });
});
