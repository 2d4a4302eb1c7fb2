import type { FastifyRequest } from 'fastify';
import { edge } from './edge-state.js';

/** Ends requests whose body has not arrived in time. They share one timer: nearly all bodies arrive with their headers. */
export class BodyDeadlines {
  /** In the order of their deadlines. */
  private readonly expected = new Set<FastifyRequest>();
  private timer: NodeJS.Timeout | null = null;

  /** @param milliseconds from the headers to the end of the body */
  constructor(
    private readonly milliseconds: number,
    private readonly onLate: (request: FastifyRequest) => void,
  ) {}

  expect(request: FastifyRequest): void {
    this.expected.add(request);
    this.timer ??= this.wakeAfter(this.milliseconds);
  }

  /** The body has arrived, or nobody waits for it any more. */
  forget(request: FastifyRequest): void {
    this.expected.delete(request);
  }

  private wakeAfter(milliseconds: number): NodeJS.Timeout {
    return setTimeout(() => this.endLate(), milliseconds).unref();
  }

  private endLate(): void {
    this.timer = null;
    for (const request of this.expected) {
      const left = request[edge].startedAt + this.milliseconds - performance.now();
      if (left > 0) {
        this.timer = this.wakeAfter(left);
        return;
      }
      this.expected.delete(request);
      this.onLate(request);
    }
  }
}
