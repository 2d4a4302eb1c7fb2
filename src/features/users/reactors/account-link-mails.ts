import type { EmailChangeRequested, PasswordResetRequested } from '../../../events/users/account-links.events.js';
import type { UserEmailChanged } from '../../../events/users/users.events.js';
import { reactor } from '../../../platform/consumers/reactor.js';
import { derivedId } from '../../../platform/kernel/ids.js';
import { greetingTo, letterOf } from '../../../platform/mail/letter.js';
import { Accounts } from './accounts.js';

const NOT_YOU = 'If this was not you, do nothing: without the link nothing changes.';

/** Mails the link that confirms a new address to that address. */
export const emailChangeMail = reactor<EmailChangeRequested>({
  name: 'email-change',
  on: 'EmailChangeRequested',
  open: ({ mailer, links, site, log, codec }) => {
    const accounts = new Accounts(log, codec, site);
    return async ({ id, data: { userId, keyId, address, expiresAt }, metadata }) => {
      const token = (await links.tokensOf([keyId])).get(keyId);
      const account = await accounts.withId(userId);
      if (address === null || token === undefined || account === null) return false;
      const organization = await accounts.organizationName();
      await mailer.send({
        id: derivedId('email-change', id),
        lane: 'account',
        to: address.email,
        fromName: organization,
        subject: `Confirm your new address for ${organization}`,
        ...letterOf({
          greeting: greetingTo(account.fullName),
          paragraphs: [
            `you have asked to change the address of your account on ${organization} from ${account.email} to ${address.email}.`,
          ],
          link: { label: 'Confirm the new address', url: `${site()}/accounts/confirm_new_email/${token}` },
          after: ['The link can be used once, within a day.', NOT_YOU],
        }),
        at: metadata.at,
        link: { keyId, expiresAt },
      });
      return true;
    };
  },
});

/** Tells the present address at once that another one was asked for, with a link that ends the request. */
export const emailChangeNotice = reactor<EmailChangeRequested>({
  name: 'email-change-notice',
  on: 'EmailChangeRequested',
  open: ({ mailer, links, site, log, codec }) => {
    const accounts = new Accounts(log, codec, site);
    return async ({ id, data: { userId, keyId, address, vetoHash, expiresAt }, metadata }) => {
      const token = (await links.vetoesOf([keyId])).get(keyId);
      const account = await accounts.withId(userId);
      if (address === null || vetoHash === null || token === undefined || account === null) return false;
      const organization = await accounts.organizationName();
      await mailer.send({
        id: derivedId('email-change-notice', id),
        lane: 'account',
        to: account.email,
        fromName: organization,
        subject: `A new address of your account on ${organization} was asked for`,
        ...letterOf({
          greeting: greetingTo(account.fullName),
          paragraphs: [
            `the address of your account on ${organization} is ${account.email}. Somebody who is logged in has asked to change it to ${address.email}.`,
            'If this was you, confirm the new address by the link in the mail to it.',
          ],
          link: { label: 'If this was not you, end the request', url: `${site()}/accounts/stop_new_email/${token}` },
          after: [
            'The link can be used within a day.',
            `Whoever asked is logged in as you. A new password ends all logins: ${site()}/accounts/password/reset/`,
          ],
        }),
        at: metadata.at,
        link: { keyId, expiresAt },
      });
      return true;
    };
  },
});

/** Tells the old address that its account has another one now, if the user has changed it. */
export const emailChangedNotice = reactor<UserEmailChanged>({
  name: 'email-changed',
  on: 'UserEmailChanged',
  open: ({ mailer, site, log, codec }) => {
    const accounts = new Accounts(log, codec, site);
    return async ({ id, data: { userId, from, to }, metadata }) => {
      const account = await accounts.withId(userId);
      if (metadata.actorId !== userId || account === null) return false;
      const organization = await accounts.organizationName();
      await mailer.send({
        id: derivedId('email-changed', id),
        lane: 'account',
        to: from,
        fromName: organization,
        subject: `Your address for ${organization} has changed`,
        ...letterOf({
          greeting: greetingTo(account.fullName),
          paragraphs: [
            `the address of your account on ${organization} is ${to} now, and no longer ${from}.`,
            'If this was not you, tell an administrator of the organization at once.',
          ],
        }),
        at: metadata.at,
      });
      return true;
    };
  },
});

/** Mails the link to choose a new password. */
export const passwordResetMail = reactor<PasswordResetRequested>({
  name: 'password-reset',
  on: 'PasswordResetRequested',
  open: ({ mailer, links, site, log, codec }) => {
    const accounts = new Accounts(log, codec, site);
    return async ({ id, data: { userId, keyId, expiresAt }, metadata }) => {
      const token = (await links.tokensOf([keyId])).get(keyId);
      const account = await accounts.withId(userId);
      if (token === undefined || account === null) return false;
      const organization = await accounts.organizationName();
      await mailer.send({
        id: derivedId('password-reset', id),
        lane: 'account',
        to: account.email,
        fromName: organization,
        subject: `A new password for ${organization}`,
        ...letterOf({
          greeting: greetingTo(account.fullName),
          paragraphs: [`somebody has asked for a new password of your account on ${organization}.`],
          link: { label: 'Choose a new password', url: `${site()}/accounts/password/reset/${token}/` },
          after: ['The link can be used once, within three days, and no longer once you log in.', NOT_YOU],
        }),
        at: metadata.at,
        link: { keyId, expiresAt },
      });
      return true;
    };
  },
});
