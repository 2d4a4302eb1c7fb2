import type { StoredDocument } from '../documents/document-store.js';
import { Instrument } from '../kernel/instrument.js';

/** Work that waits, or finished work that is remembered by its id. */
export interface QueuedTask extends StoredDocument {
  readonly _id: string;
  /** Tasks of one lane wait for each other, and for no other lane. */
  readonly lane: string;
  /** Milliseconds since 1970, as all times here. */
  readonly queuedAt: number;
  /** When the next try is due; absent once finished. */
  readonly dueAt?: number;
  readonly tries: number;
  readonly finishedAt?: number;
  /** Set if the task will never be done, and this is yet to be recorded. */
  readonly refusal?: TaskRefusal;
}

/** Why a task will never be done. */
export interface TaskRefusal {
  /** `given up`: the receiver did not take it for too long. */
  readonly reason: 'refused' | 'given up';
  /** The receiver's answer, such as a mail server's 550; null: there is none. */
  readonly code: number | null;
}

/** How a try has ended. `changes` are stored with the finished task. */
export type TaskResult<Task> =
  | { readonly outcome: 'done'; readonly changes?: Partial<Task> }
  /** The receiver will never take it. */
  | {
      readonly outcome: 'refused';
      readonly reason: string;
      readonly code?: number | null;
      readonly changes?: Partial<Task>;
    }
  /** The receiver is away, fails, or asks to come back, perhaps not before a time. */
  | { readonly outcome: 'later'; readonly reason: string; readonly retryAfterMs?: number | null }
  /** The queue closes, and the receiver has not answered: the next start repeats the try, which does not count. */
  | { readonly outcome: 'interrupted' };

/** Fields that a queue sets, and no caller. */
export type QueueFields = 'queuedAt' | 'dueAt' | 'tries';

/** A task before it enters a queue. */
export type NewTask<Task extends QueuedTask> = Task extends QueuedTask ? Omit<Task, QueueFields> : never;

/** Tries of tasks: `tasks` are mails, notifications or calls of bots. */
export const triedTasks = new Instrument<{
  readonly tasks: string;
  readonly outcome: 'done' | 'later' | 'refused' | 'given up';
}>();

/** A queue of tasks that runs in this process. */
export interface RunningQueue {
  /** Mails, notifications or calls of bots. */
  readonly name: string;
  /** The number of tasks that are not finished. */
  waiting(): Promise<number>;
}

export const runningQueues = new Set<RunningQueue>();
