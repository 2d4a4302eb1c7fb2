import { hash } from 'node:crypto';

/** 32 bytes. */
export type Hash = Buffer;

/** Bytes of a hash. */
export const HASH_BYTES = 32;

/** Through a text: Node makes a Buffer of its own for a digest at twice the cost, and a log has millions of them. */
export const sha256 = (data: string | Uint8Array): Hash => Buffer.from(hash('sha256', data, 'binary'), 'binary');

/** What is hashed next. A log has millions of hashes, and none of them needs bytes of its own before. */
const LEAF = Buffer.of(0, ...Buffer.alloc(HASH_BYTES));
const NODE = Buffer.of(1, ...Buffer.alloc(2 * HASH_BYTES));

/** The hash of a leaf with 32 bytes of data (RFC 6962, section 2.1). */
export function leafHash(data: Uint8Array): Hash {
  LEAF.set(data, 1);
  return sha256(LEAF);
}

export function nodeHash(left: Hash, right: Hash): Hash {
  NODE.set(left, 1);
  NODE.set(right, 1 + HASH_BYTES);
  return sha256(NODE);
}

/** The root of a tree without leaves. */
export const EMPTY_ROOT: Hash = sha256('');

/** Hashes of a tree's full subtrees. */
export interface Subtrees {
  /**
   * The root of the leaves from `index * 2 ** height` to `(index + 1) * 2 ** height`, all of which are there.
   * @param height 0: the leaf's hash
   */
  root(height: number, index: number): Promise<Hash>;
}

/** The part of a tree from one leaf to before another. */
interface Range {
  readonly from: number;
  readonly to: number;
}

/** The root of the first `size` leaves. */
export const treeRoot = (size: number, subtrees: Subtrees): Promise<Hash> =>
  size === 0 ? Promise.resolve(EMPTY_ROOT) : rangeRoot({ from: 0, to: size }, subtrees);

/**
 * The hashes that prove that a leaf is in the tree of `size` leaves: the leaf's sibling first.
 * @throws RangeError if it is not
 */
export async function inclusionProof(index: number, size: number, subtrees: Subtrees): Promise<readonly Hash[]> {
  if (index < 0 || index >= size) throw new RangeError(`a tree of ${size} leaves has no leaf ${index}`);
  const proof: Hash[] = [];
  for (let { from, to } = { from: 0, to: size }; to - from > 1; ) {
    const middle = from + splitOf(to - from);
    const isLeft = index < middle;
    proof.push(await rangeRoot(isLeft ? { from: middle, to } : { from, to: middle }, subtrees));
    if (isLeft) to = middle;
    else from = middle;
  }
  return proof.reverse();
}

/**
 * The hashes that prove that a tree of `size` leaves begins with the tree of `older` leaves.
 * @throws RangeError if it is smaller
 */
export async function consistencyProof(older: number, size: number, subtrees: Subtrees): Promise<readonly Hash[]> {
  if (older < 0 || older > size) throw new RangeError(`a tree of ${size} leaves does not begin with ${older}`);
  if (older === 0 || older === size) return [];
  const proof: Hash[] = [];
  let { from, to } = { from: 0, to: size };
  while (older !== to) {
    const middle = from + splitOf(to - from);
    const isLeft = older <= middle;
    proof.push(await rangeRoot(isLeft ? { from: middle, to } : { from, to: middle }, subtrees));
    if (isLeft) to = middle;
    else from = middle;
  }
  // The older tree's root is known if it is a full subtree at the left edge.
  if (from !== 0) proof.push(await rangeRoot({ from, to }, subtrees));
  return proof.reverse();
}

/** The root of a tree of so many leaves. */
export interface Head {
  readonly size: number;
  readonly root: Hash;
}

/** Tells whether the proof shows that the newer tree begins with the older one (RFC 9162, section 2.1.4.2). */
export function provesConsistency(older: Head, newer: Head, proof: readonly Hash[]): boolean {
  if (older.size > newer.size) return false;
  if (older.size === newer.size) return proof.length === 0 && older.root.equals(newer.root);
  if (older.size === 0) return proof.length === 0 && older.root.equals(EMPTY_ROOT);
  const path = isPowerOfTwo(older.size) ? [older.root, ...proof] : proof;
  const [first, ...rest] = path;
  if (first === undefined || proof.length === 0) return false;
  let [at, last] = [older.size - 1, newer.size - 1];
  while (isOdd(at)) [at, last] = [half(at), half(last)];
  let [old, now] = [first, first];
  for (const next of rest) {
    if (last === 0) return false;
    if (isOdd(at) || at === last) {
      [old, now] = [nodeHash(next, old), nodeHash(next, now)];
      while (!isOdd(at) && at > 0) [at, last] = [half(at), half(last)];
    } else now = nodeHash(now, next);
    [at, last] = [half(at), half(last)];
  }
  return last === 0 && old.equals(older.root) && now.equals(newer.root);
}

async function rangeRoot({ from, to }: Range, subtrees: Subtrees): Promise<Hash> {
  const count = to - from;
  if (isPowerOfTwo(count)) return subtrees.root(Math.log2(count), from / count);
  const middle = from + splitOf(count);
  const left = await rangeRoot({ from, to: middle }, subtrees);
  return nodeHash(left, await rangeRoot({ from: middle, to }, subtrees));
}

/** The largest power of two that is smaller than `count`. */
function splitOf(count: number): number {
  let split = 1;
  while (split * 2 < count) split *= 2;
  return split;
}

// Bit operators cut numbers to 32 bits.
const half = (count: number): number => Math.floor(count / 2);
const isOdd = (count: number): boolean => count % 2 === 1;
const isPowerOfTwo = (count: number): boolean => Number.isInteger(Math.log2(count)) && 2 ** Math.log2(count) === count;

/** The roots of the full subtrees of a growing row of hashes, one of each height at most: each node is hashed once. */
export class Peaks {
  private readonly byHeight: (Hash | null)[] = [];

  push(hash: Hash): void {
    let height = 0;
    let node = hash;
    for (let left = this.byHeight[height]; left; left = this.byHeight[height]) {
      node = nodeHash(left, node);
      this.byHeight[height] = null;
      height += 1;
    }
    this.byHeight[height] = node;
  }

  /** The root of the rightmost 2 ** height hashes that are a subtree, or null: they belong to a higher one, or are not there. */
  of(height: number): Hash | null {
    return this.byHeight[height] ?? null;
  }

  get root(): Hash {
    let root: Hash | null = null;
    for (const peak of this.byHeight) if (peak) root = root === null ? peak : nodeHash(peak, root);
    return root ?? EMPTY_ROOT;
  }
}

/** The size and the root of a tree to which leaves are added. It remembers one hash a level, and proves nothing. */
export class GrowingTree {
  private readonly peaks = new Peaks();
  private leaves = 0;

  get size(): number {
    return this.leaves;
  }

  get root(): Hash {
    return this.peaks.root;
  }

  /** @param data of the leaf */
  add(data: Uint8Array): void {
    this.peaks.push(leafHash(data));
    this.leaves += 1;
  }

  equals(other: GrowingTree): boolean {
    return this.leaves === other.leaves && this.root.equals(other.root);
  }
}
