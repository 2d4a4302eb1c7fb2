import { StreamLocks } from '../commands/stream-locks.js';
import type { Collection, DocumentDatabase, StoredDocument } from '../documents/document-store.js';
import { WakingLoop } from '../kernel/waking-loop.js';

/** Something to send, or that was sent. */
export interface PushTask extends StoredDocument {
  readonly _id: string;
  /** Tasks of one lane wait for each other, and for no other lane: one for each service. */
  readonly lane: string;
  /** Milliseconds since 1970, as all times here. */
  readonly queuedAt: number;
  /** When the next try is due; absent once finished. */
  readonly dueAt?: number;
  readonly tries: number;
  readonly finishedAt?: number;
}

/** How a try has ended: `done` with changes of the task, or again later. */
export type TaskResult<Task> =
  | { readonly outcome: 'done'; readonly changes?: Partial<Task> }
  | { readonly outcome: 'later'; readonly reason: string; readonly retryAfterMs: number | null };

export interface PushQueueOptions<Task extends PushTask> {
  readonly lanes: readonly string[];
  /** Never rejects for a reason that another try would not meet. */
  readonly perform: (task: Task, isLastTry: boolean) => Promise<TaskResult<Task>>;
  /** Called after a try with the finished task, which others may have finished meanwhile. */
  readonly finished?: (task: Task) => Promise<void>;
  readonly warn: (line: string) => void;
  readonly now?: () => number;
  /** Pause after the first failure, milliseconds; default 2000. */
  readonly firstPause?: number;
}

export const TASKS = 'tasks';
export const TASK_INDEXES = [
  { keys: { lane: 1, dueAt: 1 }, sparse: true },
  { keys: { finishedAt: 1 }, sparse: true },
] as const;

/** Tasks of a lane that are tried at the same time. */
const CONCURRENCY = 16;
const PAGE = 200;
const SECOND_MS = 1000;
const HOUR_MS = 3_600_000;
const CLOSING_MS = 2 * SECOND_MS;
const DAY_MS = 24 * HOUR_MS;
const FIRST_PAUSE_MS = 2 * SECOND_MS;
const LONGEST_PAUSE_MS = HOUR_MS / 4;
const LONGEST_TRYING_MS = DAY_MS;
/** Finished tasks are kept for so long: a repeat of one of them is not sent. */
const REMEMBERED_MS = 30 * DAY_MS;

/**
 * Keeps tasks until they are done or a day old. A task enters once by its id. A task that has to wait holds no other up.
 * A crash between the service's answer and the note of it repeats the task.
 */
export class PushQueue<Task extends PushTask> {
  private readonly loops: readonly WakingLoop[];
  private readonly locks = new StreamLocks();
  private readonly now: () => number;

  constructor(
    private readonly database: DocumentDatabase,
    private readonly options: PushQueueOptions<Task>,
  ) {
    this.now = options.now ?? Date.now;
    this.loops = options.lanes.map((lane) => new WakingLoop((signal) => this.performDue(lane, signal)));
  }

  get tasks(): Collection<Task> {
    return this.database.collection<Task>(TASKS);
  }

  start(): void {
    for (const loop of this.loops) loop.start();
  }

  /** Adds a task, unless there is one with its id. `wake` starts it. */
  async add(task: Omit<Task, 'queuedAt' | 'dueAt' | 'tries'>): Promise<void> {
    const _id = task._id as string;
    if (await this.tasks.findOne({ _id })) return;
    const now = this.now();
    await this.put({ ...task, queuedAt: now, dueAt: now, tries: 0 } as unknown as Task);
  }

  wake(): void {
    for (const loop of this.loops) loop.wake();
  }

  /** Finishes a task that needs no try any more. @returns the task as it is then */
  finish(task: Task, changes: Partial<Task> = {}): Promise<Task> {
    // A task may be withdrawn while it is being sent: each of the two keeps the changes of the other.
    return this.locks.hold(task._id, async () => {
      const { dueAt: _dueAt, ...now } = (await this.tasks.findOne({ _id: task._id as string })) ?? task;
      const finished = { ...now, ...changes, finishedAt: this.now() } as unknown as Task;
      await this.put(finished);
      return finished;
    });
  }

  async close(): Promise<void> {
    // A try that hangs is left: the next start repeats it.
    await Promise.all(this.loops.map((loop) => loop.stop(CLOSING_MS)));
  }

  private async performDue(lane: string, signal: AbortSignal): Promise<number> {
    try {
      return await this.performAllDue(lane, signal);
    } catch (error) {
      this.options.warn(`notifications cannot be looked for: ${String(error)}`);
      return FIRST_PAUSE_MS;
    }
  }

  /** Tries every task that is due. @returns milliseconds until another is due */
  private async performAllDue(lane: string, signal: AbortSignal): Promise<number> {
    await this.tasks.deleteMany({ finishedAt: { $lt: this.now() - REMEMBERED_MS } });
    for (;;) {
      const filter = { lane, dueAt: { $lte: this.now() } };
      const due = [...(await this.tasks.find(filter, { sort: { dueAt: 1 }, limit: PAGE }))];
      if (due.length === 0 || signal.aborted) break;
      const workers = Array.from({ length: CONCURRENCY }, async () => {
        for (let next = due.shift(); next && !signal.aborted; next = due.shift()) await this.try(next);
      });
      await Promise.all(workers);
    }
    const [next] = await this.tasks.find({ lane, dueAt: { $gt: 0 } }, { sort: { dueAt: 1 }, limit: 1 });
    return Math.min(HOUR_MS, Math.max(1, (next?.dueAt ?? Number.POSITIVE_INFINITY) - this.now()));
  }

  private async try(task: Task): Promise<void> {
    const { perform, finished, warn, firstPause = FIRST_PAUSE_MS } = this.options;
    const isLastTry = this.now() - task.queuedAt >= LONGEST_TRYING_MS;
    const result = await perform(task, isLastTry).catch(
      (error: unknown): TaskResult<Task> => ({ outcome: 'later', reason: String(error), retryAfterMs: null }),
    );
    if (result.outcome === 'done') return finished?.(await this.finish(task, result.changes));
    if (isLastTry) {
      warn(`${task._id} is given up after ${task.tries + 1} tries: ${result.reason}`);
      await this.finish(task);
      return;
    }
    const wait = Math.max(
      result.retryAfterMs ?? 0,
      Math.min(LONGEST_PAUSE_MS, firstPause * 2 ** Math.min(task.tries, 20)),
    );
    warn(`${task._id} is tried again in ${Math.round(wait / SECOND_MS)} s: ${result.reason}`);
    await this.locks.hold(task._id, async () => {
      // A task that was finished meanwhile is not tried again.
      const now = await this.tasks.findOne({ _id: task._id as string });
      if (now?.finishedAt === undefined) await this.put({ ...task, tries: task.tries + 1, dueAt: this.now() + wait });
    });
  }

  private async put(task: Task): Promise<void> {
    await this.tasks.replaceOne({ _id: task._id as string }, task, { upsert: true });
  }
}
