import type { CollectionSpec, IndexSpec, Sort } from './document-store.js';
import type { PlannedIndex, PlannedKey } from './planner.js';

/** An index as an engine keeps it on record. */
export interface StoredIndex {
  readonly keys: readonly (readonly [path: string, direction: 1 | -1])[];
  /** Part of the stored form. */
  readonly unique: false;
  readonly sparse: boolean;
  readonly multikey: string | null;
}

/** The stored indexes, then the indexes that the specification adds. @throws Error for an impossible index */
export function withIndexes(stored: readonly StoredIndex[], spec: CollectionSpec): StoredIndex[] {
  const indexes = [...stored];
  const known = new Set(indexes.map(indexIdentity));
  for (const index of (spec.indexes ?? []).map(toStoredIndex)) {
    if (known.has(indexIdentity(index))) continue;
    known.add(indexIdentity(index));
    indexes.push(index);
  }
  return indexes;
}

/** As MongoDB would name it: `channelId_1_sentPosition_1`. */
export function indexName({ keys }: StoredIndex): string {
  return keys.map(([path, direction]) => `${path}_${direction}`).join('_');
}

export function plannedKeys({ keys, multikey }: StoredIndex): PlannedKey[] {
  return keys.map(([path, direction]) => ({ path, direction, multikey: path === multikey }));
}

/** Fields that cannot hold an array: the keys of all indexes without `multikey`. */
export function scalarPaths(indexes: readonly StoredIndex[]): Set<string> {
  const single = indexes.filter(({ multikey }) => multikey === null);
  return new Set(['_id', ...single.flatMap(({ keys }) => keys.map(([path]) => path))]);
}

function toStoredIndex(spec: IndexSpec): StoredIndex {
  const keys = Object.entries(spec.keys);
  const misplaced = keys.findIndex(([path]) => path === '_id');
  if (keys.length === 0 || (misplaced >= 0 && (misplaced < keys.length - 1 || keys.length === 1))) {
    throw new Error(`an index needs keys, and _id only behind others: ${JSON.stringify(spec.keys)}`);
  }
  if (spec.multikey !== undefined && (spec.multikey === '_id' || !(spec.multikey in spec.keys))) {
    throw new Error(`the multikey field ${spec.multikey} is no key of the index ${JSON.stringify(spec.keys)}`);
  }
  return { keys, unique: false, sparse: spec.sparse ?? false, multikey: spec.multikey ?? null };
}

function indexIdentity(index: StoredIndex): string {
  return JSON.stringify([index.keys, index.sparse, index.multikey]);
}

/** The layout with no other index than the hint's. @throws TypeError if the collection has no index with these keys */
export function hinted<L extends { readonly collection: string; readonly indexes: readonly PlannedIndex[] }>(
  layout: L,
  hint: Sort | undefined,
): L {
  if (!hint) return layout;
  const wanted = Object.entries(hint);
  const index = layout.indexes.find(
    ({ keys }) =>
      keys.length === wanted.length &&
      keys.every(({ path, direction }, at) => path === wanted[at]?.[0] && direction === wanted[at]?.[1]),
  );
  if (!index) throw new TypeError(`${layout.collection} has no index ${JSON.stringify(hint)}`);
  return { ...layout, indexes: [index] };
}
