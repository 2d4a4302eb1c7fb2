import type { Directory } from '../../../directory/directory.js';
import type { UserRecord } from '../../../directory/directory.records.js';
import { may } from '../../../directory/permissions.js';
import { SYSTEM_GROUP_IDS } from '../../../events/shared/group-setting.js';
import type { ReadModels } from '../../../platform/read-models/read-models.js';
import type { DirectMessageFacts, DirectRecipient } from '../domain/direct-message-rules.js';
import { hasBegun } from './has-begun.js';

export function inConversation(user: UserRecord, directory: Directory): DirectRecipient {
  const mayUseDirectMessages = may(user, 'direct_message_permission_group', directory);
  return { id: user._id, isBot: user.bot !== null, mayUseDirectMessages };
}

/** Permissions of the sender, and whether the conversation of the sender and the users has begun. */
export async function directMessageFacts(
  sender: UserRecord,
  userIds: readonly number[],
  directory: Directory,
  readModels: ReadModels,
): Promise<DirectMessageFacts> {
  return {
    sender: inConversation(sender, directory),
    isDisabled: directory.settings.direct_message_permission_group === SYSTEM_GROUP_IDS['role:nobody'],
    maySendFirst:
      may(sender, 'direct_message_initiator_group', directory) ||
      (await hasBegun(readModels, [sender._id, ...userIds])),
  };
}
