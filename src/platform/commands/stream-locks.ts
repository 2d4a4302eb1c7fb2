import { Mutex } from '../kernel/mutex.js';

/**
 * Allows one decision at a time on each stream in this process. Otherwise simultaneous commands would decide on the
 * same revision, and all but one would have to decide again. The expected revision guards against other processes.
 */
export class StreamLocks {
  private readonly locks = new Map<string, Mutex>();

  async hold<T>(stream: string, work: () => Promise<T>): Promise<T> {
    const lock = this.locks.get(stream) ?? new Mutex();
    this.locks.set(stream, lock);
    try {
      return await lock.run(work);
    } finally {
      if (lock.isIdle) this.locks.delete(stream);
    }
  }
}
