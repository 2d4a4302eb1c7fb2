import { Attempts, type AttemptsOptions } from './attempts.js';
import { isTransient } from './decode-batch.js';

/**
 * Repeats the work while an engine is away or refuses it.
 *
 * @param headway a number that grows with headway: a failure after headway is a first failure
 */
export async function retryWhileUnavailable<T>(
  work: () => Promise<T>,
  onStall: AttemptsOptions['onStall'] = () => {},
  headway: () => number = () => 0,
): Promise<T> {
  const attempts = new Attempts({ onStall });
  for (;;) {
    const before = headway();
    try {
      const result = await work();
      attempts.succeeded();
      return result;
    } catch (error) {
      if (!isTransient(error)) throw error;
      if (headway() > before) attempts.succeeded();
      await attempts.failed(error);
    }
  }
}
