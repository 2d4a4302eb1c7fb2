import type { DocumentId, Filter, StoredDocument } from './document-store.js';

/** The ids of a filter that is nothing but `$in` of ids. */
export function onlyIds(filter: Filter<StoredDocument>): readonly DocumentId[] | undefined {
  const { $in, ...others } = (filter._id ?? {}) as { readonly $in?: unknown };
  const isOnly = Object.keys(filter).length === 1 && Object.keys(others).length === 0;
  return isOnly && Array.isArray($in) ? $in : undefined;
}

/** The id of a filter that is nothing but an id: it needs neither planner nor mingo. */
export function onlyId(filter: Filter<StoredDocument>): DocumentId | undefined {
  const id = filter._id;
  if (typeof id !== 'number' && typeof id !== 'string') return undefined;
  for (const field in filter) if (field !== '_id') return undefined;
  return id;
}
