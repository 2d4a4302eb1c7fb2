import { inclusionProof, type Subtrees } from './merkle.js';

/** A signed checkpoint, and the tree that it covers. */
export interface Covered {
  readonly size: number;
  /** The checkpoint with its signatures. */
  readonly note: string;
  readonly subtrees: Subtrees;
}

/** Writes the proof that a leaf is in a tree (C2SP tlog-proof). @throws RangeError if it is not */
export async function tlogProof(index: number, { size, note, subtrees }: Covered): Promise<string> {
  const hashes = await inclusionProof(index, size, subtrees);
  const lines = ['c2sp.org/tlog-proof@v1', `index ${index}`, ...hashes.map((hash) => hash.toString('base64'))];
  return `${lines.join('\n')}\n\n${note}`;
}
