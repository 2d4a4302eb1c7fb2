/**
 * One decision at a time on each stream, within this process: without it, commands that arrive together would all
 * decide on the same revision and all but one would have to decide again. Other processes are met by the expected revision.
 */
export class StreamLocks {
  private readonly tails = new Map<string, Promise<unknown>>();

  async hold<T>(stream: string, work: () => Promise<T>): Promise<T> {
    const before = this.tails.get(stream) ?? Promise.resolve();
    const mine = before.then(work, work);
    this.tails.set(stream, mine);
    try {
      return await mine;
    } finally {
      if (this.tails.get(stream) === mine) this.tails.delete(stream);
    }
  }
}
