import { AwakeTimer } from './awake-time.js';

/**
 * The promise, or a rejection after so many milliseconds in which this process was awake; what the promise does then is
 * nobody's any more.
 */
export async function within<T>(promise: Promise<T>, milliseconds: number, late: () => Error): Promise<T> {
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
