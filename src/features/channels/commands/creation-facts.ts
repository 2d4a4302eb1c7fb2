import type { Directory } from '../../../directory/directory.js';
import type { UserRecord } from '../../../directory/directory.records.js';
import { groupFacts } from '../../../directory/group-facts.js';
import { may } from '../../../directory/permissions.js';
import type { ChannelCreationFacts, ChannelOptions } from '../domain/channel-options.js';

/** The creator's permissions for a new channel. @param creator undefined: no account has the id */
export function creationFacts(
  creator: UserRecord | undefined,
  { inviteOnly }: Pick<ChannelOptions, 'inviteOnly'>,
  directory: Directory,
): ChannelCreationFacts {
  const permission = inviteOnly ? 'can_create_private_channel_group' : 'can_create_public_channel_group';
  return {
    mayCreate: creator !== undefined && may(creator, permission, directory),
    mayMakeDefault: creator !== undefined && may(creator, 'administer', directory),
    maySetRetention: creator !== undefined && may(creator, 'own', directory),
    maySetTopicsPolicy: creator !== undefined && may(creator, 'can_set_topics_policy_group', directory),
    maySetDeletePolicy: creator !== undefined && may(creator, 'can_set_delete_message_policy_group', directory),
    groups: groupFacts(directory),
  };
}
