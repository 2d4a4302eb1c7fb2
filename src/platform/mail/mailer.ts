import type { CommandRunner } from '../commands/command-runner.js';
import type { ContentKeys } from '../content-keys/content-keys.js';
import type { TaskRefusal } from '../tasks/task.js';

/** `account`: an account's own mails. They wait for no invitation, however many there are. */
export type MailLane = 'account' | 'invitations';

/** Mails of each lane that are sent at the same time. */
export const SENDERS: Readonly<Record<MailLane, number>> = { account: 2, invitations: 3 };

/** Mails that are sent at the same time. */
export const MOST_SENDERS = SENDERS.account + SENDERS.invitations;

export interface Mail {
  /** Letters, digits and dashes; the same for a repeat. */
  readonly id: string;
  /** Mails wait for those of their own lane only. */
  readonly lane: MailLane;
  /** The addressee's mail address. */
  readonly to: string;
  /** Name of the sender. */
  readonly fromName: string;
  readonly subject: string;
  /** Plain text; lines end with `\n`. */
  readonly text: string;
  /** The same as HTML; absent: the mail has only text. */
  readonly html?: string;
  /** Time of the event that the mail is about, milliseconds since 1970. */
  readonly at: number;
  /** The link in the mail; absent: there is none. A mail whose link has ended is not sent, and not kept. */
  readonly link?: MailedLink;
  /** Set if it is recorded in the log when the mail will never arrive (refused-mails.ts). */
  readonly about?: { readonly name: string; readonly id: number };
}

export interface MailedLink {
  /** The content key that is destroyed when the link ends. */
  readonly keyId: string;
  /** Milliseconds since 1970; null: never. */
  readonly expiresAt: number | null;
}

/**
 * Sends mail to people. A caller that ends before the answer sends again with the same id. Adapters deliver one mail,
 * not two, if they can tell.
 */
export interface Mailer {
  /** Sends what an earlier run has left behind. Called before `send`, by the process that runs the reactors. */
  start(): Promise<void>;
  /** Resolves when the mail is stored or sent: it survives the end of this process. Rejects if the caller must send it again. */
  send(mail: Mail): Promise<void>;
  /** Ends the work under way. Mails that are not sent yet wait for the next start. */
  close(): Promise<void>;
}

const PAGE = 500;

/**
 * Finds the links that nobody can use any more: their time is over, or their key is destroyed.
 * @param now milliseconds since 1970
 */
export async function endedAmong<Link extends MailedLink>(
  links: readonly Link[],
  contentKeys: Pick<ContentKeys, 'getMany'>,
  now: number,
): Promise<ReadonlySet<Link>> {
  const ended = new Set(links.filter(({ expiresAt }) => expiresAt !== null && expiresAt <= now));
  const inTime = links.filter((link) => !ended.has(link));
  for (let start = 0; start < inTime.length; start += PAGE) {
    const some = inTime.slice(start, start + PAGE);
    const keys = await contentKeys.getMany(some.map(({ keyId }) => keyId));
    for (const link of some) if (!keys.has(link.keyId)) ended.add(link);
  }
  return ended;
}

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
