import { type Hash, nodeHash } from '../../../src/platform/transparency/merkle.js';

/** What a proof is about. */
interface Included {
  readonly leaf: Hash;
  readonly index: number;
  readonly size: number;
  readonly root: Hash;
}

/** Tells whether the proof shows that the leaf is in the tree with this root (RFC 9162, section 2.1.3.2). */
export function provesInclusion({ leaf, index, size, root }: Included, proof: readonly Hash[]): boolean {
  if (index < 0 || index >= size) return false;
  let [at, last, hash] = [index, size - 1, leaf];
  for (const next of proof) {
    if (last === 0) return false;
    if (isOdd(at) || at === last) {
      hash = nodeHash(next, hash);
      while (!isOdd(at) && at > 0) [at, last] = [half(at), half(last)];
    } else hash = nodeHash(hash, next);
    [at, last] = [half(at), half(last)];
  }
  return last === 0 && hash.equals(root);
}

// Bit operators cut numbers to 32 bits.
const half = (count: number): number => Math.floor(count / 2);
const isOdd = (count: number): boolean => count % 2 === 1;
