import type { CommandRunner } from '../commands/command-runner.js';
import type { TaskRefusal } from '../tasks/task.js';
import type { Mail } from './mailer.js';

/** Records in the log that a mail will never arrive. Rejects to be called again, and may be called twice for one mail. */
export type OnRefused = (mail: Mail, refusal: TaskRefusal) => Promise<void>;

/** A feature's record of its refused mails. */
export interface RefusedMails {
  /** The subject of its mails. */
  readonly about: string;
  /** @param mail its subject's id, and the time of the event that caused it */
  readonly record: (
    mail: { readonly id: number; readonly at: number },
    refusal: TaskRefusal,
    runner: CommandRunner,
  ) => Promise<void>;
}

/** Hands refused mails to the features that they belong to. Others are of no consequence. */
export const refusedMailsGoTo =
  (records: readonly RefusedMails[], runner: CommandRunner): OnRefused =>
  async ({ about, at }, refusal) => {
    const record = records.find((one) => one.about === about?.name);
    if (about && record) await record.record({ id: about.id, at }, refusal, runner);
  };
