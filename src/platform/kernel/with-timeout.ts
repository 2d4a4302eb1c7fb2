import { AwakeTimer } from './awake-time.js';

/**
 * Settles as the promise does, or rejects with `late()` after so many milliseconds in which this process was awake. A
 * later outcome of the promise is ignored.
 */
export async function withTimeout<T>(promise: Promise<T>, milliseconds: number, late: () => Error): Promise<T> {
  let timer: AwakeTimer | undefined;
  const over = new Promise<never>((_, reject) => {
    timer = new AwakeTimer(Math.max(0, milliseconds), () => reject(late()));
  });
  try {
    return await Promise.race([promise, over]);
  } finally {
    timer?.clear();
  }
}
