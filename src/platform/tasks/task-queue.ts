import { StreamLocks } from '../commands/stream-locks.js';
import type { Collection } from '../documents/document-store.js';
import { HOUR_MS, SECOND_MS } from '../kernel/durations.js';
import { WakingLoop } from '../kernel/waking-loop.js';
import {
  type QueuedTask,
  type QueueFields,
  type RunningQueue,
  runningQueues,
  type TaskRefusal,
  type TaskResult,
  triedTasks,
} from './task.js';

/** How long the tries of a queue go on, in milliseconds. */
export interface Patience {
  /** Doubled with each try. */
  readonly firstPause: number;
  readonly longestPause: number;
  /** A task that is so old at the end of a try is given up. */
  readonly longestTrying: number;
  /** Tries under way have so much time to end when the queue closes. */
  readonly closing: number;
}

export interface TaskQueueOptions<Task extends QueuedTask> {
  readonly tasks: Collection<Task>;
  /** The number of tasks of each lane that are tried at the same time. */
  readonly lanes: Readonly<Record<string, number>>;
  /** The number of tasks of any other lane that are tried at the same time; default: 1. Such a lane is opened by `openLane`. */
  readonly together?: number;
  readonly patience: Patience;
  /** Tries a task. A rejection means "later". */
  readonly perform: (task: Task, isLastTry: boolean) => Promise<TaskResult<Task>>;
  /**
   * Records that a task will never be done. If it rejects, it is called again later, however late. It may be called
   * twice for one task, which is not tried in between. The task has the changes of its last try.
   */
  readonly recordRefusal?: (task: Task, refusal: TaskRefusal) => Promise<void>;
  /** Erases a finished task's content, before this is stored. @returns the part of the task that is kept */
  readonly erase?: (task: Task) => Promise<Task>;
  /** Called after the last try with the finished task, which others may have finished meanwhile. */
  readonly finished?: (task: Task) => Promise<void>;
  readonly words: {
    /** Names one task. */
    readonly task: (id: string) => string;
    readonly tasks: string;
    readonly receiver: string;
  };
  readonly warn: (line: string) => void;
  readonly now?: () => number;
}

export const TASK_INDEXES = [
  { keys: { lane: 1, dueAt: 1 }, sparse: true },
  { keys: { finishedAt: 1 }, sparse: true },
] as const;

const PAGE = 200;
/** Finished tasks are kept for so long: a repeat of one of them is not tried. */
const REMEMBERED_MS = 30 * 24 * HOUR_MS;

/**
 * Keeps tasks as documents until they are done, refused or given up. A task enters once by its id. A task that has to wait
 * holds no other up, and no lane another. A crash between the receiver's answer and its record repeats the task.
 *
 * One process at a time may run the queue of a collection.
 */
export class TaskQueue<Task extends QueuedTask> implements RunningQueue {
  private readonly loops = new Map<string, WakingLoop>();
  private isStarted = false;
  private readonly locks = new StreamLocks();
  private readonly now: () => number;

  constructor(private readonly options: TaskQueueOptions<Task>) {
    this.now = options.now ?? Date.now;
    for (const lane of Object.keys(options.lanes)) this.openLane(lane);
  }

  /** For searches by the owner's own fields. Only the queue writes to it. */
  get tasks(): Collection<Task> {
    return this.options.tasks;
  }

  get name(): string {
    return this.options.words.tasks;
  }

  waiting(): Promise<number> {
    return this.tasks.countDocuments({ lane: { $in: [...this.loops.keys()] }, dueAt: { $gt: 0 } });
  }

  start(): void {
    this.isStarted = true;
    runningQueues.add(this);
    for (const loop of this.loops.values()) loop.start();
  }

  /** Has the tasks of a lane tried, now and from now on. */
  openLane(lane: string): void {
    this.loops.get(lane)?.wake();
    if (this.loops.has(lane)) return;
    const loop = new WakingLoop((signal) => this.performDue(lane, signal));
    this.loops.set(lane, loop);
    if (this.isStarted) loop.start();
  }

  async has(_id: string): Promise<boolean> {
    return (await this.tasks.findOne({ _id })) !== null;
  }

  /** The fields of a task that enters the queue now. */
  entering(): Required<Pick<QueuedTask, QueueFields>> {
    const now = this.now();
    return { queuedAt: now, dueAt: now, tries: 0 };
  }

  /** Adds a task, unless there is one with its id. `wake` starts it. */
  async add(task: Task): Promise<void> {
    if (!(await this.has(task._id))) await this.put(task);
  }

  wake(): void {
    for (const loop of this.loops.values()) loop.wake();
  }

  /** Finishes a task that needs no try any more. @returns the task as it is then */
  finish(task: Task, changes: Partial<Task> = {}): Promise<Task> {
    const { erase } = this.options;
    // A task may be finished by another while it is tried: each of the two keeps the changes of the other.
    return this.locks.hold(task._id, async () => {
      const known = { ...((await this.tasks.findOne({ _id: task._id })) ?? task), ...changes };
      const finished = { ...(erase ? await erase(known) : known), finishedAt: this.now() };
      for (const field of ['dueAt', 'refusal']) Reflect.deleteProperty(finished, field);
      await this.put(finished);
      return finished;
    });
  }

  async close(): Promise<void> {
    runningQueues.delete(this);
    // A try that hangs is left: the next start repeats it.
    await Promise.all([...this.loops.values()].map((loop) => loop.stop(this.options.patience.closing)));
  }

  private async performDue(lane: string, signal: AbortSignal): Promise<number> {
    const { words, patience, warn } = this.options;
    try {
      return await this.performAllDue(lane, signal);
    } catch (error) {
      warn(`${words.tasks} cannot be looked for: ${String(error)}`);
      return patience.firstPause;
    }
  }

  /** Tries every task of the lane that is due. @returns milliseconds until another is due */
  private async performAllDue(lane: string, signal: AbortSignal): Promise<number> {
    const { tasks } = this;
    await tasks.deleteMany({ finishedAt: { $lt: this.now() - REMEMBERED_MS } });
    for (;;) {
      const filter = { lane, dueAt: { $lte: this.now() } };
      const due = [...(await tasks.find(filter, { sort: { dueAt: 1 }, limit: PAGE }))];
      if (due.length === 0 || signal.aborted) break;
      const workers = Array.from({ length: this.options.lanes[lane] ?? this.options.together ?? 1 }, async () => {
        for (let next = due.shift(); next && !signal.aborted; next = due.shift()) await this.try(next);
      });
      await Promise.all(workers);
    }
    const [next] = await tasks.find({ lane, dueAt: { $gt: 0 } }, { sort: { dueAt: 1 }, limit: 1 });
    return Math.min(HOUR_MS, Math.max(1, (next?.dueAt ?? Number.POSITIVE_INFINITY) - this.now()));
  }

  private async try(task: Task): Promise<void> {
    if (task.refusal) return this.giveUp(task, task.refusal);
    const { perform, patience, words, warn } = this.options;
    const name = words.task(task._id);
    const isLastTry = this.now() - task.queuedAt >= patience.longestTrying;
    const result = await perform(task, isLastTry).catch(
      (error: unknown): TaskResult<Task> => ({ outcome: 'later', reason: String(error) }),
    );
    if (result.outcome === 'interrupted') return;
    triedTasks.tell({
      tasks: words.tasks,
      outcome: result.outcome === 'later' && isLastTry ? 'given up' : result.outcome,
    });
    if (result.outcome === 'done') return this.settle(task, result.changes);
    if (result.outcome === 'refused') {
      warn(`${name} is given up, because ${words.receiver} refuses it: ${result.reason}`);
      return this.giveUp(task, { reason: 'refused', code: result.code ?? null }, result.changes);
    }
    if (isLastTry) {
      warn(`${name} is given up after ${task.tries + 1} tries: ${result.reason}`);
      return this.giveUp(task, { reason: 'given up', code: null });
    }
    const wait = await this.postpone(task, result.retryAfterMs ?? 0);
    warn(`${name} is tried again in ${inSeconds(wait)}: ${result.reason}`);
  }

  /** Finishes a task that will never be done, once this is recorded. A crash in between repeats the record. */
  private async giveUp(task: Task, refusal: TaskRefusal, changes?: Partial<Task>): Promise<void> {
    const { recordRefusal, words, warn } = this.options;
    const refused = { ...task, ...changes, refusal };
    try {
      // Stored first: the task is not tried again, whatever a second try would bring.
      if (recordRefusal && !task.refusal) await this.keep(refused);
      await recordRefusal?.(refused, refusal);
    } catch (error) {
      const wait = await this.postpone(refused);
      const line = `that ${words.task(task._id)} is given up cannot be recorded, trying again in ${inSeconds(wait)}`;
      return warn(`${line}: ${String(error)}`);
    }
    await this.settle(task, changes);
  }

  private async settle(task: Task, changes?: Partial<Task>): Promise<void> {
    const finished = await this.finish(task, changes);
    await this.options.finished?.(finished);
  }

  /** @returns milliseconds until the next try */
  private async postpone(task: Task, atLeast = 0): Promise<number> {
    const { firstPause, longestPause } = this.options.patience;
    const wait = Math.max(atLeast, Math.min(longestPause, firstPause * 2 ** Math.min(task.tries, 20)));
    await this.keep({ ...task, tries: task.tries + 1, dueAt: this.now() + wait });
    return wait;
  }

  /** Stores a task that is yet to be finished, unless another has finished it meanwhile. */
  private keep(task: Task): Promise<void> {
    return this.locks.hold(task._id, async () => {
      const known = await this.tasks.findOne({ _id: task._id });
      if (known?.finishedAt === undefined) await this.put(task);
    });
  }

  private async put(task: Task): Promise<void> {
    await this.tasks.replaceOne({ _id: task._id }, task, { upsert: true });
  }
}

const inSeconds = (milliseconds: number): string => `${Math.round(milliseconds / SECOND_MS)} s`;
