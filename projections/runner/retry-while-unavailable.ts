import { BackOff } from '../../src/platform/kernel/back-off.js';
import { isTransient } from './decode-batch.js';

/** Repeats the work while an engine is away. */
export async function retryWhileUnavailable<T>(work: () => Promise<T>): Promise<T> {
  const backOff = new BackOff();
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isTransient(error)) throw error;
      await backOff.wait();
    }
  }
}
