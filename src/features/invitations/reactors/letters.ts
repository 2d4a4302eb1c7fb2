import { letterOf } from '../../../platform/mail/letter.js';
import type { Mail } from '../../../platform/mail/mailer.js';

export interface LetterFacts {
  readonly organization: string;
  /** The inviter's name as mails show it; null: they do not. */
  readonly inviter: string | null;
  /** The link of the mail. */
  readonly url: string;
  /** Milliseconds since 1970; null: never. */
  readonly expiresAt: number | null;
}

type Content = Pick<Mail, 'fromName' | 'subject' | 'text' | 'html'>;

export type Letter = (facts: LetterFacts) => Content;

const SOMEBODY = 'Somebody';

export const invitationLetter: Letter = ({ organization, inviter, url, expiresAt }) => ({
  fromName: inviter === null ? organization : `${inviter} (via ${organization})`,
  subject: `${inviter ?? SOMEBODY} has invited you to join ${organization}`,
  ...letterOf({
    greeting: 'Hello,',
    paragraphs: [
      `${inviter ?? SOMEBODY} wants you to join ${organization}. Choose a name and a password, and your account is ready.`,
    ],
    link: { label: 'Accept the invitation', url },
    after: [
      ...(expiresAt === null ? [] : [`The invitation is valid until ${shown(expiresAt)}.`]),
      'If you do not want to join, ignore this mail. Your address is deleted when the invitation ends.',
    ],
  }),
});

export const confirmationLetter: Letter = ({ organization, url, expiresAt }) => ({
  fromName: organization,
  subject: `Confirm your address to join ${organization}`,
  ...letterOf({
    greeting: 'Hello,',
    paragraphs: [`you have asked to join ${organization} with this address.`],
    link: { label: 'Confirm the address and join', url },
    after: [
      ...(expiresAt === null ? [] : [`The link is valid until ${shown(expiresAt)}.`]),
      'If it was not you who asked, ignore this mail: no account is made.',
    ],
  }),
});

/** `3 December 2026, 17:45 UTC` */
const shown = (time: number): string =>
  `${new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' }).format(time).replace(' at ', ', ')} UTC`;
