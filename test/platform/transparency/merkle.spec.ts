import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  consistencyProof,
  EMPTY_ROOT,
  type Hash,
  inclusionProof,
  leafHash,
  nodeHash,
  provesConsistency,
  type Subtrees,
  treeRoot,
} from '../../../src/platform/transparency/merkle.js';
import { provesInclusion } from './proves-inclusion.js';

const dataOf = (index: number): Buffer => createHash('sha256').update(`annals test event ${index}`).digest();

/** Hashes of all full subtrees, each computed once. */
function subtreesOf(leaf: (index: number) => Hash): Subtrees {
  const known = new Map<string, Hash>();
  const root = (height: number, index: number): Hash => {
    const name = `${height}/${index}`;
    const hash =
      known.get(name) ??
      (height === 0 ? leaf(index) : nodeHash(root(height - 1, 2 * index), root(height - 1, 2 * index + 1)));
    known.set(name, hash);
    return hash;
  };
  return { root: async (height, index) => root(height, index) };
}

const tree = subtreesOf((index) => leafHash(dataOf(index)));
const base64 = (hashes: readonly Hash[]): readonly string[] => hashes.map((hash) => hash.toString('base64'));

describe('the tree', () => {
  it.each([
    [0, '47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='],
    [1, 'YYFjhvDsK0UgAa0YQgbnofEvnpcfZuaPr8XueoVObDc='],
    [3, '0hcFJI503iGajqRaomJV00rEAgSh17V4tBOgGXWxiPQ='],
    [7, 'TKbHtRuK7069VjwZIpTb+Gz3cyP2zAM/mfuiNQNMpsA='],
    [256, 'qykZy6ZLaXFwdU1AiqPmQo2d/rSJqRrAJQB+3QwmAEg='],
    [257, 'CzaO1kF+UkQLNsz0Tj7hu40k4dhlawtZlq92WiLnKBI='],
    [70_000, 'lGQMnDgPTshwui2mJXtqKYmwfDOcPzYJOb5qLqdOG5Y='],
  ])('of %d leaves has the root that other programs compute', async (size, root) => {
    expect(base64([await treeRoot(size, tree)])).toEqual([root]);
  });

  it('proves what other programs prove', async () => {
    expect(base64(await inclusionProof(5, 7, tree))).toEqual([
      '4BszPqnca0rTgUaHCYBiBW7CNuZvZBj1dwfhcaIFb0c=',
      'ffF3IgluoFevzVdnVqyujxUXgaMMeM7kJC5Pm74TZV4=',
      'WAstu+/4er7hiLhi2xm99xdyuHoeX4zmdtemnrCag1A=',
    ]);
    expect(base64(await consistencyProof(3, 7, tree))).toEqual([
      'w8S+YXpaaQysmsmwlRlJ43LWQUbtdgWqA9kVT+MlkPM=',
      'BuVKx0ux8gzVBdaLRj2FXgt1H4Cy2V63Ks1LcMEiW0k=',
      'YCeqt53rxDij48krjALLJK/mGX6yMTJKJ1sSW+X1KDM=',
      'usqFLsbn34CT1f/VhRqdd77OuUgOImOemZo1H7ajIiI=',
    ]);
    expect(base64(await consistencyProof(4, 7, tree))).toEqual(['usqFLsbn34CT1f/VhRqdd77OuUgOImOemZo1H7ajIiI=']);
    const digest = (hashes: readonly Hash[]) => createHash('sha256').update(Buffer.concat(hashes)).digest('hex');
    expect(digest(await inclusionProof(12_345, 70_000, tree))).toBe(
      '7cf698aeae5fb36e6f62ab8bc10a350cc063ba69a1c9f71b34dd35ecc34c19df',
    );
    expect(digest(await consistencyProof(257, 70_000, tree))).toBe(
      'e2ceab0dd6e1bab5320022dbbf6773725a1fd69907122a3dee0cb0fbe56f7be4',
    );
  });

  it('has more leaves than 32 bits count', async () => {
    const one = leafHash(dataOf(0));
    const heights = [one];
    for (let height = 1; height <= 33; height++)
      heights.push(nodeHash(heights[height - 1] as Hash, heights[height - 1] as Hash));
    const equal: Subtrees = { root: async (height) => heights[height] as Hash };
    const size = 2 ** 33 + 3;
    const root = await treeRoot(size, equal);
    expect(base64([root])).toEqual(['rJNAC0F0sY8rc/sJXztWZ6b8/x2dpbwcc8/WI/O7If0=']);
    const index = 2 ** 32 + 5;
    expect(provesInclusion({ leaf: one, index, size, root }, await inclusionProof(index, size, equal))).toBe(true);
    const older = { size: 2 ** 32, root: heights[32] as Hash };
    const proof = await consistencyProof(older.size, size, equal);
    expect(base64(proof)).toEqual(base64([heights[32] as Hash, nodeHash(heights[1] as Hash, one)]));
    expect(provesConsistency(older, { size, root }, proof)).toBe(true);
  });

  it('proves every leaf in every small tree, and nothing else', async () => {
    for (let size = 1; size <= 40; size++) {
      const root = await treeRoot(size, tree);
      for (let index = 0; index < size; index++) {
        const proof = await inclusionProof(index, size, tree);
        const leaf = leafHash(dataOf(index));
        expect(provesInclusion({ leaf, index, size, root }, proof)).toBe(true);
        expect(provesInclusion({ leaf, index: (index + 1) % size, size, root }, proof)).toBe(size === 1);
        expect(provesInclusion({ leaf: leafHash(dataOf(size)), index, size, root }, proof)).toBe(false);
        expect(provesInclusion({ leaf, index, size, root }, [...proof, root])).toBe(false);
        expect(provesInclusion({ leaf, index, size, root: EMPTY_ROOT }, proof)).toBe(false);
      }
      expect(provesInclusion({ leaf: leafHash(dataOf(0)), index: size, size, root }, [])).toBe(false);
    }
  });

  it('proves every older tree of every small tree', async () => {
    for (let size = 0; size <= 40; size++)
      for (let older = 0; older <= size; older++) {
        const [old, now] = [
          { size: older, root: await treeRoot(older, tree) },
          { size, root: await treeRoot(size, tree) },
        ];
        const proof = await consistencyProof(older, size, tree);
        expect(provesConsistency(old, now, proof)).toBe(true);
        if (older < size && older > 0) expect(provesConsistency({ ...old, root: now.root }, now, proof)).toBe(false);
        if (older > 0) expect(provesConsistency(old, now, [...proof, now.root])).toBe(false);
      }
  });

  it('refuses a proof of which any bit is another', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 2, max: 300 }), fc.nat(), fc.nat(), async (size, some, bit) => {
        const index = some % size;
        const proof = await inclusionProof(index, size, tree);
        const damaged = proof.map((hash) => Buffer.from(hash));
        const one = damaged[bit % damaged.length] as Buffer;
        one[bit % one.length] = (one[bit % one.length] as number) ^ (1 << (bit % 8));
        const included = { leaf: leafHash(dataOf(index)), index, size, root: await treeRoot(size, tree) };
        expect([provesInclusion(included, proof), provesInclusion(included, damaged)]).toEqual([true, false]);
      }),
    );
  });

  it('has no proof of what it has not', async () => {
    await expect(inclusionProof(7, 7, tree)).rejects.toThrow(RangeError);
    await expect(consistencyProof(8, 7, tree)).rejects.toThrow(RangeError);
    const [root, small] = [await treeRoot(7, tree), await treeRoot(3, tree)];
    expect(provesConsistency({ size: 7, root }, { size: 3, root: small }, [])).toBe(false);
    expect(provesConsistency({ size: 3, root: small }, { size: 7, root }, [])).toBe(false);
    expect(provesConsistency({ size: 0, root: small }, { size: 7, root }, [])).toBe(false);
  });
});
