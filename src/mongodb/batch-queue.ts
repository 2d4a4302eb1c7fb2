/** One call at a time: whatever is asked for meanwhile goes together into the next, in order. */
export class BatchQueue<Request, Result> {
  private waiting: Waiting<Request, Result>[] = [];
  private calling: Promise<void> | null = null;

  /**
   * @param call answers each of the requests, or fails all of them
   * @param together how many of those that wait go into one call, at least one
   */
  constructor(
    private readonly call: (requests: readonly Request[]) => Promise<readonly Result[]>,
    private readonly together: (waiting: readonly Request[]) => number,
  ) {}

  add(request: Request): Promise<Result> {
    return new Promise<Result>((done, failed) => {
      this.waiting.push({ request, done, failed });
      this.calling ??= this.run();
    });
  }

  /** Resolves when nothing waits. */
  async idle(): Promise<void> {
    await this.calling;
  }

  private async run(): Promise<void> {
    // Whoever else asks in this turn goes along.
    await Promise.resolve();
    while (this.waiting.length > 0) {
      const count = this.together(this.waiting.map(({ request }) => request));
      await this.perform(this.waiting.splice(0, Math.max(count, 1)));
    }
    this.calling = null;
  }

  private async perform(batch: readonly Waiting<Request, Result>[]): Promise<void> {
    try {
      const results = await this.call(batch.map(({ request }) => request));
      batch.forEach(({ done }, at) => {
        done(results[at] as Result);
      });
    } catch (error) {
      for (const { failed } of batch) failed(error);
    }
  }
}

interface Waiting<Request, Result> {
  readonly request: Request;
  readonly done: (result: Result) => void;
  readonly failed: (error: unknown) => void;
}
