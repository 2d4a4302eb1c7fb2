import { derivedId } from '../../src/kernel/derived-id.js';
import type { UserDeactivated } from '../../src/users/domain/users.events.js';
import { reactor } from './reactor.js';

/** Who has been deactivated is told so where that was asked for, and what was said to it (api.md, endpoint 13). */
export const deactivationNotice = reactor<UserDeactivated>({
  name: 'deactivation-notice',
  on: 'UserDeactivated',
  react: async ({ id, data, metadata }, { mailer, accounts }) => {
    const { userId, notice } = data;
    if (notice === null) return false;
    const account = await accounts.withId(userId);
    if (account === null) return false;
    const organization = await accounts.organizationName();
    await mailer.send({
      id: derivedId('deactivation-notice', id),
      to: account.email,
      fromName: organization,
      subject: `Notification of account deactivation on ${organization}`,
      text: textOf(account.fullName, organization, notice.comment),
      at: metadata.at,
    });
    return true;
  },
});

function textOf(name: string, organization: string, comment: string): string {
  const said = comment.trim() === '' ? [] : ['The administrators provided the following comment:', quoted(comment)];
  return [
    `Hello ${name},`,
    `your account on ${organization} has been deactivated, and you will no longer be able to log in.`,
    ...said,
    '',
  ].join('\n\n');
}

const quoted = (comment: string): string =>
  comment
    .trim()
    .split(/\r?\n/)
    .map((line) => `> ${line}`.trimEnd())
    .join('\n');
