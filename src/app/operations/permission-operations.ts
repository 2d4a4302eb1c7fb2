import { ACTION_NAMES } from '../../directory/named-action.js';
import { SPECIAL_PERMISSIONS } from '../../events/users/users.settings.js';
import { ExplainPermission } from '../../features/permissions/queries/explain-permission.js';
import { GrantPermission, RevokePermission } from '../../features/users/domain/grant-permission.js';
import { accountNamed, activeAccountNamed, channelNamed } from './named.js';
import { oneOf, operation, text, textOrNull, yesOrNo } from './operation.js';

export const permissionOperations = {
  grant: operation(
    { permission: oneOf(SPECIAL_PERMISSIONS), user: text, isGranted: yesOrNo },
    async ({ permission, user, isGranted }, { directory, commands, by }) => {
      const { _id: userId, email } = isGranted ? activeAccountNamed(user, directory) : accountNamed(user, directory);
      const command = isGranted
        ? new GrantPermission({ permission, userId, by })
        : new RevokePermission({ permission, userId, by });
      return { user_id: userId, email, permission, has: isGranted, changed: await commands.execute(command) };
    },
  ),

  why: operation(
    { user: text, action: oneOf(ACTION_NAMES), channel: textOrNull },
    async ({ user, action, channel: named }, { directory, queries }) => {
      const { _id: userId, email } = accountNamed(user, directory);
      const channel = named === null ? null : channelNamed(named, directory);
      const channelId = channel?._id ?? null;
      const explanation = await queries.execute(new ExplainPermission({ reader: null, userId, action, channelId }));
      return { user_id: userId, email, action, channel_id: channelId, channel: channel?.name ?? null, ...explanation };
    },
  ),
};
