import type { Description, Descriptions } from '../../../platform/http/openapi/described-api.js';

const MANAGED = 'For the inviter and for administrators; for owners, if somebody else invites to the role of an owner.';

const TERMS: Readonly<Record<string, string>> = {
  stream_ids:
    'The ids of channels to which whoever joins is subscribed: default channels, and others to which you may subscribe people',
  invite_expires_in_minutes: 'After so many minutes nobody can join. null: never. Default 14,400, which is 10 days',
  invite_as:
    'The role of whoever joins, which has no more rights than yours: 100 owner, 200 administrator, 300 moderator, 400 member, 600 guest. Default 400',
  group_ids:
    'The ids of user groups that whoever joins becomes a member of. You may add members to each. Default: none',
  include_realm_default_subscriptions:
    'Whether whoever joins is subscribed to the channels that are default then, too. Default false',
  welcome_message_custom_text:
    'What the welcome message says, at most 8,000 characters of Markdown; empty: nothing of the organization. null, the default: the text of the organization. For administrators',
};

const LIST: Description = {
  summary: 'List the invitations and invitation links by which people can still join.',
  text: 'Administrators see all of them, other members their own; guests and bots none. `problem` tells why one cannot be used, or did not arrive. `link_url` is left out for those who could not make the same link.',
};

const SEND: Description = {
  summary: 'Invite people by mail.',
  text: 'For those in `can_invite_users_group`. An address has one invitation: another one replaces it, unless you may not revoke it, in which case its mail is sent again. If some addresses have accounts or were mailed too often, the others are invited and the answer is the error `INVITATION_FAILED`, which names those that were not. The mails of a day are limited: by inviter, by organization, and to 5 for an address.',
  parameters: {
    invitee_emails: 'The addresses, with commas or line breaks between them, at most 1,000',
    ...TERMS,
    notify_referrer_on_join: 'Whether you are told by a direct message of each who joins. Default true',
  },
};

const CREATE_LINK: Description = {
  summary: 'Create an invitation link by which many people can join.',
  text: 'For those in `create_multiuse_invite_group`. A repeated request creates another link.',
  parameters: TERMS,
};

const REVOKE_LINK: Description = {
  summary: 'Revoke an invitation link, and the mails that confirm addresses of those who use it.',
  text: MANAGED,
  parameters: { invite_id: 'The `id` of the link in `GET /invites`, where `is_multiuse` is true' },
};

const MAILED = 'The `id` of the invitation in `GET /invites`, where `is_multiuse` is false';

const REVOKE: Description = {
  summary: 'Revoke an invitation that was sent by mail.',
  text: MANAGED,
  parameters: { invite_id: MAILED },
};

const RESEND: Description = {
  summary: 'Send the mail of an invitation again.',
  text: `${MANAGED} The invitation ends when it would have. The limits of mails hold, and there is a pause between two repeats; \`retry-after\` tells how long.`,
  parameters: { invite_id: MAILED },
};

const PREVIEW: Description = {
  summary: 'Send yourself a welcome message with a text, to see it.',
  text: 'For administrators. It is a direct message of the Welcome Bot; the answer has its id.',
  parameters: { welcome_message_custom_text: 'The text, 1 to 8,000 characters of Markdown' },
};

export const descriptions: Descriptions = {
  'GET /invites': LIST,
  'POST /invites': SEND,
  'POST /invites/multiuse': CREATE_LINK,
  'DELETE /invites/multiuse/{invite_id}': REVOKE_LINK,
  'DELETE /invites/{invite_id}': REVOKE,
  'POST /invites/{invite_id}/resend': RESEND,
  'POST /realm/test_welcome_bot_custom_message': PREVIEW,
};
