import type { Directory } from '../../directory/directory.js';
import { ROLES } from '../../events/shared/role.js';
import { RevokeInvitationLink } from '../../features/invitations/domain/manage-invitation.js';
import { CreateInvitationLink } from '../../features/invitations/domain/send-invitations.js';
import { GetInvitationLinks, type OperatedLink } from '../../features/invitations/log/get-invitation-links.handler.js';
import { MINUTE_MS } from '../../platform/kernel/durations.js';
import { SITE } from '../../platform/kernel/site.js';
import { activeOwner, channelNamed, listed, numberOrNull, oneOf, operation, text, texts } from './operation.js';
import { ROLE_NAMES, roleName } from './role-names.js';

/** An invitation link as operators see it. Times are seconds since 1970. */
interface ShownLink {
  readonly id: number;
  readonly link_url: string;
  /** Name of the role of whoever joins. */
  readonly role: string;
  /** Names of its own channels; those that are default at the time of joining may come in addition. */
  readonly channels: readonly string[];
  readonly invited_by: string;
  /** null: never. */
  readonly expiry_date: number | null;
  /** false: the inviter may no longer invite to the role. */
  readonly is_usable: boolean;
}

const shown = ({ id, url, terms, inviterId, expiresAt, isUsable }: OperatedLink, directory: Directory): ShownLink => ({
  id,
  link_url: url,
  role: roleName(terms.role),
  channels: terms.channelIds.flatMap((channelId) => directory.channel(channelId)?.name ?? []),
  invited_by: directory.user(inviterId)?.email ?? '',
  expiry_date: expiresAt === null ? null : Math.floor(expiresAt / 1000),
  is_usable: isUsable,
});

export const inviteOperations = {
  'invite create': operation(
    { role: oneOf(ROLE_NAMES), channels: texts, minutes: numberOrNull },
    async ({ role, channels, minutes }, { app, directory, commands, queries, by }) => {
      // A process that has no public URL makes no link.
      app.get<() => string>(SITE)();
      const channelIds = [...new Set(channels.map((channel) => channelNamed(channel, directory)._id))];
      const terms = { role: ROLES[role], channelIds, groupIds: [], withDefaultChannels: true };
      const options = { expiresAt: minutes === null ? null : Date.now() + minutes * MINUTE_MS, welcomeText: null };
      const inviterId = activeOwner(directory)._id;
      const made = await commands.execute(new CreateInvitationLink({ inviterId, terms, options, by }));
      const link = (await queries.execute(new GetInvitationLinks())).find(({ keyId }) => keyId === made);
      if (!link) throw new Error('the link has ended already');
      return shown(link, directory);
    },
  ),

  'invite list': operation({}, async (_, { directory, queries }) =>
    (await queries.execute(new GetInvitationLinks())).map((link) => shown(link, directory)),
  ),

  'invite revoke': operation({ link: text }, async ({ link: named }, { commands, queries, by, directory }) => {
    const links = await queries.execute(new GetInvitationLinks());
    const link = links.find(({ id, url }) => String(id) === named || url === named);
    const ids = links.map(({ id, terms }) => `${id} (${roleName(terms.role)})`);
    if (!link) throw new Error(`there is no link ${named}: there are ${listed(ids, 'annals invite list')}`);
    await commands.execute(new RevokeInvitationLink({ invitationId: link.id, by }));
    return shown(link, directory);
  }),
};
