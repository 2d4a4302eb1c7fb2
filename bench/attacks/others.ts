import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Account } from '../driver/request.js';

export interface OthersRequest {
  readonly port: number;
  readonly accounts: readonly Account[];
}

export interface OthersReport {
  /** Milliseconds that they waited for an answer, like `p99`. */
  readonly p50: number;
  readonly p99: number;
  readonly asked: number;
  /** Numbers of answers that were no success, by what they said. */
  readonly errors: ReadonlyMap<string, number>;
}

/** Lets others use the server during `work`, as on any day. */
export async function amongOthers<T>(
  request: OthersRequest,
  work: () => Promise<T>,
): Promise<{ readonly done: T; readonly others: OthersReport }> {
  const thread = new Worker(new URL('./others.thread.js', import.meta.url), { workerData: request });
  await once(thread, 'message');
  const done = await work();
  const answered = once(thread, 'message');
  thread.postMessage('enough');
  const [others] = (await answered) as [OthersReport];
  await thread.terminate();
  return { done, others };
}
