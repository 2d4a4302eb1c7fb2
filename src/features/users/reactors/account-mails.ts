import type { EmailChangeRequested, PasswordResetRequested } from '../../../events/users/account-links.events.js';
import type { UserDeactivated, UserEmailChanged } from '../../../events/users/users.events.js';
import { type Reactor, reactor } from '../../../platform/consumers/reactor.js';
import type { DomainEvent, EventMetadata } from '../../../platform/kernel/event.js';
import { derivedId } from '../../../platform/kernel/ids.js';
import { greetingTo, type Letter, letterOf } from '../../../platform/mail/letter.js';
import type { MailedLink } from '../../../platform/mail/mailer.js';
import { type Account, Accounts } from './accounts.js';

interface AccountMail<E extends DomainEvent<string, { readonly userId: number }>> {
  readonly name: string;
  readonly on: E['type'];
  /** The link in the mail, and which of its two tokens it has: the one that uses it, or the one that ends it. */
  readonly link?: { readonly of: (data: E['data']) => MailedLink; readonly token: 'tokensOf' | 'vetoesOf' };
  /** Writes the mail; null: there is none to send. @param facts.token of the link; empty without one */
  readonly write: (
    data: E['data'],
    facts: { account: Account; organization: string; site: string; token: string; metadata: EventMetadata },
  ) => (Omit<Letter, 'greeting'> & { readonly to: string; readonly subject: string }) | null;
}

/** Mails the user of an account what an event means for it, unless the account or the link is gone. */
const accountMail = <E extends DomainEvent<string, { readonly userId: number }>>({
  name,
  on,
  link,
  write,
}: AccountMail<E>): Reactor =>
  reactor<E>({
    name,
    on,
    open: ({ mailer, links, site, log, codec }) => {
      const accounts = new Accounts(log, codec, site);
      return async ({ id, data, metadata }) => {
        const mailed = link?.of(data);
        const token = link && mailed ? (await links[link.token]([mailed.keyId])).get(mailed.keyId) : '';
        const account = await accounts.withId(data.userId);
        if (token === undefined || account === null) return false;
        const organization = await accounts.organizationName();
        const written = write(data, { account, organization, site: site(), token, metadata });
        if (written === null) return false;
        const { to, subject, ...letter } = written;
        await mailer.send({
          id: derivedId(name, id),
          lane: 'account',
          to,
          fromName: organization,
          subject,
          ...letterOf({ greeting: greetingTo(account.fullName), ...letter }),
          at: metadata.at,
          ...(mailed && { link: mailed }),
        });
        return true;
      };
    },
  });

const NOT_YOU = 'If this was not you, do nothing: without the link nothing changes.';

const linkOf = ({ keyId, expiresAt }: MailedLink): MailedLink => ({ keyId, expiresAt });

/** Mails the link that confirms a new address to that address. */
export const emailChangeMail = accountMail<EmailChangeRequested>({
  name: 'email-change',
  on: 'EmailChangeRequested',
  link: { of: linkOf, token: 'tokensOf' },
  write: ({ address }, { account, organization, site, token }) =>
    address && {
      to: address.email,
      subject: `Confirm your new address for ${organization}`,
      paragraphs: [
        `you have asked to change the address of your account on ${organization} from ${account.email} to ${address.email}.`,
      ],
      link: { label: 'Confirm the new address', url: `${site}/accounts/confirm_new_email/${token}` },
      after: ['The link can be used once, within a day.', NOT_YOU],
    },
});

/** Tells the present address at once that another one was asked for, with a link that ends the request. */
export const emailChangeNotice = accountMail<EmailChangeRequested>({
  name: 'email-change-notice',
  on: 'EmailChangeRequested',
  link: { of: linkOf, token: 'vetoesOf' },
  write: ({ address, vetoHash }, { account, organization, site, token }) =>
    address && vetoHash
      ? {
          to: account.email,
          subject: `A new address of your account on ${organization} was asked for`,
          paragraphs: [
            `the address of your account on ${organization} is ${account.email}. Somebody who is logged in has asked to change it to ${address.email}.`,
            'If this was you, confirm the new address by the link in the mail to it.',
          ],
          link: { label: 'If this was not you, end the request', url: `${site}/accounts/stop_new_email/${token}` },
          after: [
            'The link can be used within a day.',
            `Whoever asked is logged in as you. A new password ends all logins: ${site}/accounts/password/reset/`,
          ],
        }
      : null,
});

/** Tells the old address that its account has another one now, if the user has changed it. */
export const emailChangedNotice = accountMail<UserEmailChanged>({
  name: 'email-changed',
  on: 'UserEmailChanged',
  write: ({ userId, from, to }, { organization, metadata }) =>
    metadata.actorId === userId
      ? {
          to: from,
          subject: `Your address for ${organization} has changed`,
          paragraphs: [
            `the address of your account on ${organization} is ${to} now, and no longer ${from}.`,
            'If this was not you, tell an administrator of the organization at once.',
          ],
        }
      : null,
});

/** Mails the link to choose a new password. */
export const passwordResetMail = accountMail<PasswordResetRequested>({
  name: 'password-reset',
  on: 'PasswordResetRequested',
  link: { of: linkOf, token: 'tokensOf' },
  write: (_, { account, organization, site, token }) => ({
    to: account.email,
    subject: `A new password for ${organization}`,
    paragraphs: [`somebody has asked for a new password of your account on ${organization}.`],
    link: { label: 'Choose a new password', url: `${site}/accounts/password/reset/${token}/` },
    after: ['The link can be used once, within three days, and no longer once you log in.', NOT_YOU],
  }),
});

/** Mails a deactivated user the notice that the administrator asked for, with the administrator's comment. */
export const deactivationNotice = accountMail<UserDeactivated>({
  name: 'deactivation-notice',
  on: 'UserDeactivated',
  write: ({ notice }, { account, organization }) => {
    if (notice === null) return null;
    const quotation = notice.comment.trim();
    const deactivated = `your account on ${organization} has been deactivated, and you will no longer be able to log in.`;
    return {
      to: account.email,
      subject: `Notification of account deactivation on ${organization}`,
      paragraphs: [deactivated, ...(quotation === '' ? [] : ['The administrators provided the following comment:'])],
      ...(quotation !== '' && { quotation }),
    };
  },
});
