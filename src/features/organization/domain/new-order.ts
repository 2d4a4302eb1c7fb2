/** Checks and applies a new order. @param wanted must contain each id exactly once */
export function newOrder(
  now: readonly { readonly id: number }[],
  wanted: readonly number[],
): 'invalid' | 'same' | { readonly from: readonly number[]; readonly to: readonly number[] } {
  const from = now.map(({ id }) => id);
  const ids = new Set(wanted);
  if (ids.size !== wanted.length || wanted.length !== from.length || !from.every((id) => ids.has(id))) return 'invalid';
  return from.every((id, index) => id === wanted[index]) ? 'same' : { from, to: [...wanted] };
}
