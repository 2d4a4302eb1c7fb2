import { setImmediate as nextTurn } from 'node:timers/promises';

/** One call at a time: whatever is asked for meanwhile goes together into the next, in order. */
export class BatchQueue<Request, Result> {
  private waiting: Waiting<Request, Result>[] = [];
  private calling: Promise<void> | null = null;

  /**
   * @param call answers each of the requests, or fails all of them
   * @param most that go into one call
   * @param goTogether whether a request may go into the call of another; all may where it is left out
   */
  constructor(
    private readonly call: (requests: readonly Request[]) => Promise<readonly Result[]>,
    private readonly most: number,
    private readonly goTogether: (first: Request, other: Request) => boolean = () => true,
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
    while (this.waiting.length > 0) {
      // Whoever else asks in this turn goes along: what one answer sets free asks together.
      await nextTurn();
      await this.perform(this.waiting.splice(0, this.together()));
    }
    this.calling = null;
  }

  /** How many of those that wait go into one call. */
  private together(): number {
    const first = this.waiting[0]?.request as Request;
    const longest = Math.min(this.waiting.length, this.most);
    let count = 1;
    while (count < longest && this.goTogether(first, this.waiting[count]?.request as Request)) count++;
    return count;
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
