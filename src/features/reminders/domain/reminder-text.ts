import { beginningOf } from '../../../platform/kernel/text.js';
import { quoteOf } from '../../markdown/quote.js';

/** Later than this, a reminder says that it is late. */
const LATE_AFTER_MS = 60_000;

/** The message as its reader may read it now. */
export interface RemindedMessage {
  readonly text: string;
  /** Markdown that names the sender and mentions nobody. */
  readonly sender: string;
  /** The message's address. */
  readonly address: string;
}

export interface ReminderParts {
  /** Empty: none. */
  readonly note: string;
  /** null: deleted, or its reader may not read it any more. */
  readonly message: RemindedMessage | null;
  /** When it was due, in milliseconds since 1970. */
  readonly sendAt: number;
  readonly now: number;
}

/** How a reminder is quoted. */
export interface Quoting {
  /** Greatest number of code points of the quoted message: a longer one is cut. */
  readonly most: number;
  /** Language of code blocks that name none; '': none. */
  readonly codeLanguage: string;
}

/** Text of the message that a reminder is sent as. It mentions nobody: notes and messages are quoted. */
export function reminderText({ note, message, sendAt, now }: ReminderParts, quoting: Quoting): string {
  const { codeLanguage } = quoting;
  return [
    `You asked for this reminder.${now - sendAt > LATE_AFTER_MS ? lateness(sendAt) : ''}`,
    ...(note === '' ? [] : ['Your note:', quoteOf(note, codeLanguage)]),
    message === null ? 'The message was deleted, or you can no longer read it.' : reminded(message, quoting),
  ].join('\n\n');
}

const lateness = (sendAt: number): string =>
  ` It is late: it was due at <time:${new Date(sendAt).toISOString().replace('.000Z', 'Z')}>.`;

function reminded({ text, sender, address }: RemindedMessage, { most, codeLanguage }: Quoting): string {
  const widget = /^\/(poll|todo)(?!\S)/.exec(text)?.[1];
  if (widget !== undefined) return `${sender} sent [${widget === 'poll' ? 'a poll' : 'a to-do list'}](${address}).`;
  return `${sender} [wrote](${address}):\n\n${quoteOf(beginningOf(text, most), codeLanguage)}`;
}
