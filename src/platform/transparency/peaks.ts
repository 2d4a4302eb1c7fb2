import { EMPTY_ROOT, type Hash, nodeHash } from './merkle.js';

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
