/** Wakes everyone who waits for something to have changed. Ask for the state, then wait, in one turn: nothing is missed. */
export class Signal {
  private readonly waiting = new Set<() => void>();

  fire(): void {
    for (const wake of [...this.waiting]) wake();
  }

  /** Resolves when it fires, after so many milliseconds, or when `abort` does. */
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
