import { Attempts, type AttemptsOptions } from './attempts.js';
import { isTransient } from './decode-batch.js';

/** Repeats the work while an engine is away or refuses it. */
export async function retryWhileUnavailable<T>(
  work: () => Promise<T>,
  onStall: AttemptsOptions['onStall'] = () => {},
): Promise<T> {
  const attempts = new Attempts({ onStall });
  for (;;) {
    try {
      const result = await work();
      attempts.succeeded();
      return result;
    } catch (error) {
      if (!isTransient(error)) throw error;
      await attempts.failed(error);
    }
  }
}
