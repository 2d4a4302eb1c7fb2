import { Command, refuse } from '../../../platform/kernel/deciding.js';
import { beginningOf, longerThan } from '../../../platform/kernel/text.js';
import { quoteOf, spoilerOf } from '../../markdown/quote.js';

/** Why a message is reported, as the request names it, and as moderators read it. */
const REPORT_REASONS = {
  spam: 'Spam',
  harassment: 'Harassment',
  inappropriate: 'Inappropriate content',
  norms: 'Violates community norms',
  other: 'Other reason',
} as const;

export type ReportType = keyof typeof REPORT_REASONS;

export const REPORT_TYPES = Object.keys(REPORT_REASONS) as readonly ReportType[];

/** In Unicode code points. */
const MAX_REPORT_DESCRIPTION = 1000;

/** The most that a report quotes. With description, names and fences, a report stays below the greatest length. */
const MOST_QUOTED = 3000;

/** Tells moderators of a message that the reporter may read. */
export class ReportMessage extends Command<{
  messageId: number;
  reporterId: number;
  reportType: ReportType;
  /** Empty: none. */
  description: string;
}> {}

/** Refuses with MESSAGE_REPORT_UNEXPLAINED, MESSAGE_REPORT_TOO_LONG. */
export function requireExplained({ reportType, description }: Pick<ReportMessage, 'reportType' | 'description'>): void {
  if (longerThan(description, MAX_REPORT_DESCRIPTION))
    refuse('MESSAGE_REPORT_TOO_LONG', { limit: MAX_REPORT_DESCRIPTION });
  if (reportType === 'other' && description.trim() === '') refuse('MESSAGE_REPORT_UNEXPLAINED');
}

interface ReportedMessage {
  readonly text: string;
  /** Markdown that names a user and mentions nobody. */
  readonly sender: string;
  /** null: a direct message, which moderators cannot open. */
  readonly address: string | null;
}

/** Text of the message to the moderators. It mentions nobody, and others' words stand nowhere but in its quotation. */
export function reportText(
  { reportType, description }: Pick<ReportMessage, 'reportType' | 'description'>,
  reporter: string,
  { text, sender, address }: ReportedMessage,
  codeLanguage: string,
): string {
  const what = address === null ? 'a direct message' : `[a message](${address})`;
  const quoted = beginningOf(text, MOST_QUOTED);
  return [
    `${reporter} reported ${what} from ${sender}.`,
    `Reason: **${REPORT_REASONS[reportType]}**`,
    ...(description.trim() === '' ? [] : ['Notes:', quoteOf(description, codeLanguage)]),
    spoilerOf('The reported message', quoteOf(quoted, codeLanguage), codeLanguage),
  ].join('\n\n');
}

/** Reports of the messages of one user are in one topic. */
export const reportTopic = (senderName: string): string => `${senderName}'s moderation requests`;
