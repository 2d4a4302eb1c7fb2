import { Measure } from '../kernel/measure.js';

/** Tries of tasks: `tasks` are mails, notifications or calls of bots. */
export const triedTasks = new Measure<{
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
