import { sha256 } from '../../../platform/bytes.js';

export type Hash = Uint8Array<ArrayBuffer>;

/** One step from the leaf to the root: the hash that was known, and the one that the proof has beside it. */
export interface Climb {
  readonly beside: Hash;
  /** Whether `beside` is the left one of the two. */
  readonly isLeft: boolean;
  /** What both are together. */
  readonly node: Hash;
}

/** RFC 6962, section 2.1. */
export const leafHash = (data: Hash): Promise<Hash> => sha256(Uint8Array.of(0), data);

/**
 * Climbs from a leaf to the root of a tree of `size` leaves (RFC 9162, section 2.1.3.2).
 * @returns null if the proof has too many or too few hashes for this leaf
 */
export async function climb(leaf: Hash, index: number, size: number, path: readonly Hash[]): Promise<Climb[] | null> {
  const steps: Climb[] = [];
  let [at, last, hash] = [index, size - 1, leaf];
  for (const beside of path) {
    if (last === 0) return null;
    const isLeft = at % 2 === 1 || at === last;
    hash = await (isLeft ? nodeHash(beside, hash) : nodeHash(hash, beside));
    steps.push({ beside, isLeft, node: hash });
    if (isLeft) while (at % 2 === 0 && at > 0) [at, last] = [half(at), half(last)];
    [at, last] = [half(at), half(last)];
  }
  return last === 0 ? steps : null;
}

const nodeHash = (left: Hash, right: Hash): Promise<Hash> => sha256(Uint8Array.of(1), left, right);

// Bit operators cut numbers to 32 bits.
const half = (count: number): number => Math.floor(count / 2);
