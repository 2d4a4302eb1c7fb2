/** Repeats an assertion until it holds; after the bound, fails with what it said last. */
export async function eventually<T>(assertion: () => T | Promise<T>, boundMs = 60_000): Promise<T> {
  const end = performance.now() + boundMs;
  for (;;) {
    try {
      return await assertion();
    } catch (error) {
      if (performance.now() > end) throw error;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }
}
