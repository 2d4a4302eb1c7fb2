import { List } from 'immutable';
import { refuse } from '../../../platform/kernel/deciding.js';
import { DAY_MS } from '../../../platform/kernel/durations.js';
import { refuseLimitReached } from './invitees.js';

/** Limits of the mails that invitations cause, so that nobody floods strangers. A day is the last 24 hours. */
export interface MailLimits {
  /** Invitations that a member or moderator may have mailed in a day, repeats included; 0: no limit. */
  readonly member: number;
  /** The same for an administrator or owner. */
  readonly administrator: number;
  /** The same for all people together. So many confirmations of all links for many are mailed besides. */
  readonly organization: number;
  /** Confirmations of one link for many in a day; 0: no limit. */
  readonly link: number;
  /** Milliseconds between two repeats of the same invitation's mail. */
  readonly pause: number;
}

/** Mails that one address gets in a day, whoever has them sent. */
const MOST_TO_ONE_ADDRESS = 5;

/** A mail of the last day. */
export interface SentMail {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly invitationId: number;
  /** Who had it sent; null for a confirmation, which its addressee asked for. */
  readonly senderId: number | null;
  /** The link for many that a confirmation is for. */
  readonly linkId: number | null;
  /** SHA-256 of the folded address; null if the key was destroyed before the state was read. */
  readonly addressHash: string | null;
}

/** The mails of the last day, the oldest first. */
export type RecentMails = List<SentMail>;

export const noMails: RecentMails = List();

/** Adds a mail, and forgets those of more than a day before it. */
export function mailed(mails: RecentMails, mail: SentMail): RecentMails {
  const oldest = mails.findIndex(({ at }) => at > mail.at - DAY_MS);
  return (oldest === -1 ? noMails : oldest === 0 ? mails : mails.skip(oldest)).push(mail);
}

/** The facts that limits depend on. */
export interface LimitFacts {
  /** Milliseconds since 1970. */
  readonly now: number;
  /** null: the server itself, which has no limit. */
  readonly managerId: number | null;
  readonly isAdministrator: boolean;
  readonly limits: MailLimits;
}

/** The mails of the 24 hours before a decision, looked up in one pass. */
export interface MailsOfDay {
  readonly now: number;
  /** Invitations, with repeats and without confirmations, by sender. */
  readonly countBySender: ReadonlyMap<number, number>;
  readonly invitations: number;
  /** Times of mails, the oldest first. */
  readonly timesByAddress: ReadonlyMap<string, readonly number[]>;
  readonly timesByLink: ReadonlyMap<number, readonly number[]>;
  /** Of the confirmations of all links for many. */
  readonly confirmationTimes: readonly number[];
  readonly timesByInvitation: ReadonlyMap<number, readonly number[]>;
}

export function mailsOfDay(mails: RecentMails, now: number): MailsOfDay {
  const countBySender = new Map<number, number>();
  const timesByAddress = new Map<string, number[]>();
  const timesByLink = new Map<number, number[]>();
  const timesByInvitation = new Map<number, number[]>();
  const confirmationTimes: number[] = [];
  let invitations = 0;
  for (const { at, senderId, linkId, addressHash, invitationId } of mails) {
    if (at <= now - DAY_MS) continue;
    if (senderId !== null) {
      invitations += 1;
      countBySender.set(senderId, (countBySender.get(senderId) ?? 0) + 1);
    }
    add(timesByInvitation, invitationId, at);
    if (addressHash !== null) add(timesByAddress, addressHash, at);
    if (linkId === null) continue;
    add(timesByLink, linkId, at);
    confirmationTimes.push(at);
  }
  return { now, countBySender, invitations, timesByAddress, timesByLink, confirmationTimes, timesByInvitation };
}

/** @throws DomainError INVITATION_FAILED with `daily_limit_reached` if so many more mails are too many */
export function requireFewMails(day: MailsOfDay, count: number, facts: Omit<LimitFacts, 'now'>): void {
  const { managerId, isAdministrator, limits } = facts;
  if (managerId === null) return;
  const own = day.countBySender.get(managerId) ?? 0;
  const most = isAdministrator ? limits.administrator : limits.member;
  if (most > 0 && own + count > most)
    refuseLimitReached(`You can send ${most} invitations a day, and ${Math.max(0, most - own)} more now.`);
  if (limits.organization > 0 && day.invitations + count > limits.organization)
    refuseLimitReached('This organization has sent as many invitations as it may in a day. Try again tomorrow.');
}

/** Milliseconds since 1970 from which a link for many may cause another mail; null: now. */
export const nextMailBy = (
  linkId: number,
  { timesByLink, confirmationTimes }: MailsOfDay,
  { link, organization }: MailLimits,
): number | null => endOfDay(timesByLink.get(linkId), link) ?? endOfDay(confirmationTimes, organization);

/** Milliseconds since 1970 from which an address may get another mail; null: now. */
export const nextMailTo = (addressHash: string | null, { timesByAddress }: MailsOfDay): number | null =>
  addressHash === null ? null : endOfDay(timesByAddress.get(addressHash), MOST_TO_ONE_ADDRESS);

/** Milliseconds since 1970 from which an invitation may be repeated for those who ask for it; null: now. */
export const nextRepeat = (
  resentAt: number | null,
  { now, limits: { pause } }: Pick<LimitFacts, 'now' | 'limits'>,
): number | null => (resentAt === null || resentAt + pause <= now ? null : resentAt + pause);

/** Milliseconds since 1970 from which another invitation to its address mails it again; null: now. */
export function nextMailOf(
  invitationId: number,
  { timesByInvitation, now }: MailsOfDay,
  { pause }: MailLimits,
): number | null {
  const last = timesByInvitation.get(invitationId)?.at(-1);
  return last === undefined || last + pause <= now ? null : last + pause;
}

/** Refuses with RATE_LIMIT_HIT. */
export const refuseUntil = (then: number, now: number): never =>
  refuse('RATE_LIMIT_HIT', { 'retry-after': Math.max(1, Math.ceil((then - now) / 1000)) });

/** The time from which fewer than `most` of the mails lie within a day; null: so it is now. 0: no limit. */
const endOfDay = (times: readonly number[] = [], most: number): number | null => {
  if (most === 0) return null;
  const deciding = times.at(-most);
  return times.length < most || deciding === undefined ? null : deciding + DAY_MS;
};

function add<Key>(timesBy: Map<Key, number[]>, key: Key, at: number): void {
  const times = timesBy.get(key);
  if (times) times.push(at);
  else timesBy.set(key, [at]);
}
