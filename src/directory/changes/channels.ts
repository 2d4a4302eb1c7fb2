import type { ChannelEvent } from '../../channels/domain/channels.events.js';
import { fold } from '../../kernel/fold.js';
import { alters, creates, type Rules } from './rule.js';

const ofChannel = ({ data }: { readonly data: { readonly channelId: number } }): number => data.channelId;

export const channelRules: Rules<ChannelEvent> = {
  ChannelCreated: creates(({ data, metadata, position }) => ({
    kind: 'channels',
    record: {
      _id: data.channelId,
      name: data.name,
      nameKey: fold(data.name),
      description: data.description,
      renderedDescription: data.renderedDescription,
      inviteOnly: data.inviteOnly,
      historyPublicToSubscribers: data.historyPublicToSubscribers,
      topicsPolicy: data.topicsPolicy,
      messageRetentionDays: data.messageRetentionDays,
      permissions: data.permissions,
      isArchived: false,
      creatorId: data.creatorId,
      createdAt: metadata.at,
      position,
    },
  })),
  ChannelRenamed: alters('channels', ofChannel, ({ data }) => ({ name: data.to, nameKey: fold(data.to) })),
  ChannelDescriptionChanged: alters('channels', ofChannel, ({ data }) => ({
    description: data.to,
    renderedDescription: data.renderedDescription,
  })),
  ChannelPrivacyChanged: alters('channels', ofChannel, ({ data }) => ({
    inviteOnly: data.to.inviteOnly,
    historyPublicToSubscribers: data.to.historyPublicToSubscribers,
  })),
  ChannelPermissionChanged: alters('channels', ofChannel, ({ data }, { permissions }) => ({
    permissions: { ...permissions, [data.setting]: data.to },
  })),
  ChannelTopicsPolicyChanged: alters('channels', ofChannel, ({ data }) => ({ topicsPolicy: data.to })),
  ChannelRetentionChanged: alters('channels', ofChannel, ({ data }) => ({ messageRetentionDays: data.to })),
  ChannelArchived: alters('channels', ofChannel, () => ({ isArchived: true })),
  ChannelUnarchived: alters('channels', ofChannel, () => ({ isArchived: false })),
};
