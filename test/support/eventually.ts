const FIRST_PAUSE_MS = 5;
/** Asking more often keeps a busy machine from what is waited for. */
const LONGEST_PAUSE_MS = 100;

/** Repeats an assertion until it holds. Fails with its last error after `boundMs`. */
export async function eventually<T>(assertion: () => T | Promise<T>, boundMs = 60_000): Promise<T> {
  const end = performance.now() + boundMs;
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(LONGEST_PAUSE_MS, pause * 1.5)) {
    try {
      return await assertion();
    } catch (error) {
      if (performance.now() > end) throw error;
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
}
