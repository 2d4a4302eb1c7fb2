import type { Directory } from '../../../directory/directory.js';
import type { UserRecord } from '../../../directory/directory.records.js';
import type { Facts } from '../../../directory/facts.js';
import { may } from '../../../directory/permissions.js';
import { SYSTEM_GROUP_IDS } from '../../../events/shared/group-setting.js';
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
  facts: Facts,
): Promise<DirectMessageFacts> {
  return {
    sender: inConversation(sender, facts.directory),
    isDisabled: facts.directory.settings.direct_message_permission_group === SYSTEM_GROUP_IDS['role:nobody'],
    maySendFirst:
      may(sender, 'direct_message_initiator_group', facts.directory) ||
      (await hasBegun(facts.readModels, [sender._id, ...userIds])),
  };
}
