import { Measure } from '../kernel/measure.js';

/** Tries of tasks: `tasks` are mails, notifications or calls of bots. */
export const triedTasks = new Measure<{
  readonly tasks: string;
  readonly outcome: 'done' | 'later' | 'refused' | 'given up';
}>();
