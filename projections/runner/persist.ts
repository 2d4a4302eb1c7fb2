import { BackOff } from '../../src/kernel/back-off.js';
import { isPassing } from './decode-batch.js';

/** Again and again while an engine is away. */
export async function persist<T>(work: () => Promise<T>): Promise<T> {
  const backOff = new BackOff();
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isPassing(error)) throw error;
      await backOff.wait();
    }
  }
}
