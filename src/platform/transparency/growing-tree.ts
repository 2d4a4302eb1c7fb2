import { type Hash, leafHash } from './merkle.js';
import { Peaks } from './peaks.js';

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
