import { EMPTY_ROOT, type Hash, leafHash, nodeHash } from './merkle.js';

/** The size and the root of a tree to which leaves are added. It remembers one hash a level, and proves nothing. */
export class GrowingTree {
  /** The roots of the full subtrees from left to right: one for each 1 in the size's binary digits. */
  private readonly roots: Hash[] = [];
  private leaves = 0;

  get size(): number {
    return this.leaves;
  }

  get root(): Hash {
    return this.roots.length === 0 ? EMPTY_ROOT : this.roots.reduceRight((right, left) => nodeHash(left, right));
  }

  /** @param data of the leaf */
  add(data: Uint8Array): void {
    let hash = leafHash(data);
    for (let size = this.leaves; size % 2 === 1; size = Math.floor(size / 2))
      hash = nodeHash(this.roots.pop() ?? EMPTY_ROOT, hash);
    this.roots.push(hash);
    this.leaves += 1;
  }

  equals(other: GrowingTree): boolean {
    return this.leaves === other.leaves && this.root.equals(other.root);
  }
}
