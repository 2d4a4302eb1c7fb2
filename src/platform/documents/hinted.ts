import type { Sort } from './document-store.js';
import type { PlannedIndex } from './planner.js';

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
