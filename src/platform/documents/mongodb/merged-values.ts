type Filter = Readonly<Record<string, unknown>>;

/** MongoDB merges the index ranges of at most so many values of an `$in`; with more, it sorts all documents found. */
const MERGED_BY_ITSELF = 200;

/**
 * The same filter, with a long `$in` as branches of an `$or` at the top. MongoDB merges any number of branches in the
 * order of an index, so that a limit ends the search.
 */
export function withMergedValues(filter: Filter, mergedByItself = MERGED_BY_ITSELF): Filter {
  const { $or, ...rest } = filter;
  const given = Array.isArray($or) ? ($or as Filter[]) : [rest];
  const others = Array.isArray($or) ? rest : {};
  const listed = given.map(longestList);
  if (listed.every((list) => list === null || list.values.length <= mergedByItself)) return filter;
  const branches = given.flatMap((branch, at) => {
    const list = listed[at];
    if (!list) return [branch];
    return list.values.map((value): Filter => ({ ...branch, [list.path]: { $eq: value } }));
  });
  const isAlone = Object.keys(others).length === 0;
  return { $or: isAlone ? branches : branches.map((branch) => ({ $and: [branch, others] })) };
}

function longestList(branch: Filter): { readonly path: string; readonly values: readonly unknown[] } | null {
  const lists = Object.entries(branch).flatMap(([path, condition]) => {
    if (path.startsWith('$') || typeof condition !== 'object' || condition === null) return [];
    const { $in, ...more } = condition as { $in?: unknown };
    return Array.isArray($in) && Object.keys(more).length === 0 ? [{ path, values: $in as unknown[] }] : [];
  });
  return lists.sort((a, b) => b.values.length - a.values.length)[0] ?? null;
}
