import type { CollectionSpec, StoredDocument } from '../documents/document-store.js';
import type { Position } from '../kernel/position.js';

/** The database of the tree. Its checkpoint is the position of the newest leaf. */
export const TREE_DATABASE = 'transparency';
export const TILES = 'tiles';
export const LEAVES = 'leaves';
export const HEADS = 'heads';

/** A tile or a bundle of entries. One that is not full is written again when it grows. */
export interface TileDocument extends StoredDocument {
  /** The path of the full tile, whatever it holds: `tile/0/x001/234`. */
  readonly _id: string;
  /** Base64. */
  readonly bytes: string;
}

/** Where 256 neighbouring leaves are in the log. */
export interface LeavesDocument extends StoredDocument {
  /** The index of the first leaf, divided by 256. */
  readonly _id: number;
  /** The first of the positions. */
  readonly first: Position;
  readonly positions: readonly Position[];
}

/** The newest state of the tree. There is one. */
export interface HeadDocument extends StoredDocument {
  readonly _id: 'head';
  readonly size: number;
  /** Base64. */
  readonly root: string;
  /** The position of the newest leaf. */
  readonly position: Position;
  /** The signed checkpoint of this state; null if it may not be signed. */
  readonly note: string | null;
  /** The verifier key of the note. */
  readonly verifier: string | null;
}

export const treeCollections: Readonly<Record<string, CollectionSpec>> = {
  [TILES]: {},
  [LEAVES]: { indexes: [{ keys: { first: 1 } }] },
  [HEADS]: {},
};
