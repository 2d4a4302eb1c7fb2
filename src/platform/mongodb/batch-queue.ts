import { setImmediate as nextTurn } from 'node:timers/promises';

/** Makes one call at a time: requests added meanwhile share the next call, in order. */
export class BatchQueue<Request, Result> {
  private waiting: Waiting<Request, Result>[] = [];
  private calling: Promise<void> | null = null;

  /**
   * @param call answers each of the requests, or fails all of them
   * @param most requests in one call
   * @param goTogether whether a request may join the call of another; default: always
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
      // An answer lets several callers go on in the same turn. One more turn, and their requests go into one call.
      await nextTurn();
      await this.perform(this.waiting.splice(0, this.together()));
    }
    this.calling = null;
  }

  /** Number of waiting requests that go into the next call. */
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
