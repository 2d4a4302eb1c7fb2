import type { UserDeactivated } from '../../../events/users/users.events.js';
import { reactor } from '../../../platform/consumers/reactor.js';
import { derivedId } from '../../../platform/kernel/ids.js';
import { greetingTo, type Letter, letterOf } from '../../../platform/mail/letter.js';
import { Accounts } from './accounts.js';

/** Mails a deactivated user the notice that the administrator asked for, with the administrator's comment. */
export const deactivationNotice = reactor<UserDeactivated>({
  name: 'deactivation-notice',
  on: 'UserDeactivated',
  open: ({ mailer, site, log, codec }) => {
    const accounts = new Accounts(log, codec, site);
    return async ({ id, data: { userId, notice }, metadata }) => {
      if (notice === null) return false;
      const account = await accounts.withId(userId);
      if (account === null) return false;
      const organization = await accounts.organizationName();
      await mailer.send({
        id: derivedId('deactivation-notice', id),
        lane: 'account',
        to: account.email,
        fromName: organization,
        subject: `Notification of account deactivation on ${organization}`,
        ...letterOf(letter(account.fullName, organization, notice.comment)),
        at: metadata.at,
      });
      return true;
    };
  },
});

function letter(name: string | null, organization: string, comment: string): Letter {
  const quotation = comment.trim();
  const said = quotation === '' ? [] : ['The administrators provided the following comment:'];
  return {
    greeting: greetingTo(name),
    paragraphs: [
      `your account on ${organization} has been deactivated, and you will no longer be able to log in.`,
      ...said,
    ],
    ...(quotation === '' ? {} : { quotation }),
  };
}
