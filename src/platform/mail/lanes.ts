/** `account`: an account's own mails. They wait for no invitation, however many there are. */
export type MailLane = 'account' | 'invitations';

/** Mails of each lane that are sent at the same time. */
export const SENDERS: Readonly<Record<MailLane, number>> = { account: 2, invitations: 3 };

/** Mails that are sent at the same time. */
export const MOST_SENDERS = SENDERS.account + SENDERS.invitations;
