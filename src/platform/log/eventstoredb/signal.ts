/** Wakes all who wait for a change. No change is missed if the state is checked in the turn in which the wait begins. */
export class Signal {
  private readonly waiting = new Set<() => void>();

  fire(): void {
    for (const wake of [...this.waiting]) wake();
  }

  /** Resolves when the signal fires, after `milliseconds`, or when `abort` aborts. */
  wait(milliseconds?: number, abort?: AbortSignal): Promise<void> {
    if (abort?.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const wake = () => {
        clearTimeout(timer);
        abort?.removeEventListener('abort', wake);
        this.waiting.delete(wake);
        resolve();
      };
      const timer = milliseconds === undefined ? undefined : setTimeout(wake, Math.max(0, milliseconds));
      abort?.addEventListener('abort', wake);
      this.waiting.add(wake);
    });
  }
}
