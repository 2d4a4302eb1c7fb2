import type { Directory } from '../../../directory/directory.js';
import { groupFacts } from '../../../directory/group-facts.js';
import { type Action, type ChannelAction, may } from '../../../directory/permissions.js';
import type { CommandContext } from '../../../platform/kernel/deciding.js';
import { renderMarkdown } from '../../markdown/render-markdown.js';
import type { UpdateChannelFacts } from '../domain/update-channel.js';

interface Administration {
  readonly channelId: number;
  readonly by: CommandContext;
}

/** The actor's permissions in the channel; none if it does not exist. */
export function administrationFacts(
  { channelId, by }: Administration,
  directory: Directory,
): Pick<UpdateChannelFacts, 'maySee' | 'mayRead' | 'mayAdminister'> {
  const actor = by.actorId === null ? null : directory.user(by.actorId);
  const channel = directory.channel(channelId);
  const mayHere = (to: ChannelAction): boolean =>
    channel !== undefined && actor !== undefined && may(actor, { channel, to }, directory);
  return { maySee: mayHere('see'), mayRead: mayHere('read'), mayAdminister: mayHere('administer') };
}

export function updateFacts(
  administration: Administration,
  directory: Directory,
): Omit<UpdateChannelFacts, 'hasTopics'> {
  const { channelId, by } = administration;
  const actor = by.actorId === null ? null : directory.user(by.actorId);
  const mayEverywhere = (action: Action): boolean => actor !== undefined && may(actor, action, directory);
  return {
    ...administrationFacts(administration, directory),
    mayCreatePublic: mayEverywhere('can_create_public_channel_group'),
    mayCreatePrivate: mayEverywhere('can_create_private_channel_group'),
    mayMakeDefault: mayEverywhere('administer'),
    maySetRetention: mayEverywhere('own'),
    maySetTopicsPolicy: mayEverywhere('can_set_topics_policy_group'),
    maySetDeletePolicy: mayEverywhere('can_set_delete_message_policy_group'),
    isDefault: directory.organization?.defaultChannelIds.includes(channelId) ?? false,
    takesReports: directory.setting('moderation_request_channel_id') === channelId,
    hasSubscribers: directory.subscriberIds(channelId).length > 0,
    groups: groupFacts(directory),
    render: renderMarkdown,
  };
}
