/** Repeats an assertion until it holds. Fails with its last error after `boundMs`. */
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
