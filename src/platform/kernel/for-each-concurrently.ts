/**
 * Works on the items in their order, `concurrency` of them at once. Each worker stops at its first failure; the others
 * go on.
 * @param signal ends the work after the items at hand
 * @throws the first failure, when all workers have ended
 */
export async function forEachConcurrently<Item>(
  items: Iterable<Item>,
  concurrency: number,
  work: (item: Item) => Promise<unknown>,
  signal?: AbortSignal,
): Promise<void> {
  const left = items[Symbol.iterator]();
  const worker = async (): Promise<void> => {
    while (!signal?.aborted) {
      const { done, value } = left.next();
      if (done) return;
      await work(value);
    }
  };
  const workers = await Promise.allSettled(Array.from({ length: concurrency }, worker));
  for (const ended of workers) if (ended.status === 'rejected') throw ended.reason;
}
