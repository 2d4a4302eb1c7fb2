/** Runs one piece of work at a time, in the order of the calls. A failure does not stop the following work. */
export class Mutex {
  private last: Promise<unknown> = Promise.resolve();
  private waiting = 0;

  /** Whether no work runs or waits. */
  get isIdle(): boolean {
    return this.waiting === 0;
  }

  run<T>(work: () => T | Promise<T>): Promise<T> {
    this.waiting += 1;
    const mine = this.last.then(work);
    const done = (): void => {
      this.waiting -= 1;
    };
    this.last = mine.then(done, done);
    return mine;
  }

  /** Resolves when all work requested before has run. */
  async idle(): Promise<void> {
    await this.last;
  }
}
