/** Picks the n-th element, from 0, and begins again after the last. */
export function cyclic<T>(list: readonly T[], n: number): T {
  const element = list[n % list.length];
  if (element === undefined) throw new Error('the list is empty');
  return element;
}
