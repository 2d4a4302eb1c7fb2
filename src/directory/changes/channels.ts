import type { ChannelEvent } from '../../events/channels/channels.events.js';
import type { Position } from '../../platform/kernel/position.js';
import { foldCase } from '../../platform/kernel/text.js';
import { seersOf } from '../channel-visibility.js';
import type { ChannelRecord } from '../directory.records.js';
import { alters, creates, ended, type Rules } from './rule.js';

const ofChannel = ({ data }: { readonly data: { readonly channelId: number } }): number => data.channelId;

export const channelRules: Rules<ChannelEvent> = {
  ChannelCreated: creates(({ data, metadata, position }) => ({
    kind: 'channels',
    record: {
      _id: data.channelId,
      name: data.name,
      nameKey: foldCase(data.name),
      description: data.description,
      renderedDescription: data.renderedDescription,
      inviteOnly: data.inviteOnly,
      historyPublicToSubscribers: data.historyPublicToSubscribers,
      topicsPolicy: data.topicsPolicy,
      messageRetentionDays: data.messageRetentionDays,
      permissions: data.permissions,
      isArchived: false,
      folderId: data.folderId,
      creatorId: data.creatorId,
      createdAt: metadata.at,
      sightIntervals: [{ seers: seersOf(data), isArchived: false, from: position, to: null }],
      position,
    },
  })),
  ChannelRenamed: alters('channels', ofChannel, ({ data }) => ({ name: data.to, nameKey: foldCase(data.to) })),
  ChannelDescriptionChanged: alters('channels', ofChannel, ({ data }) => ({
    description: data.to,
    renderedDescription: data.renderedDescription,
  })),
  ChannelPrivacyChanged: alters('channels', ofChannel, ({ data, position }, before) => {
    const { inviteOnly, historyPublicToSubscribers } = data.to;
    return { inviteOnly, historyPublicToSubscribers, ...visibilityChange(before, { inviteOnly }, position) };
  }),
  ChannelPermissionChanged: alters('channels', ofChannel, ({ data, position }, before) => {
    const permissions = { ...before.permissions, [data.setting]: data.to };
    return { permissions, ...visibilityChange(before, { permissions }, position) };
  }),
  ChannelTopicsPolicyChanged: alters('channels', ofChannel, ({ data }) => ({ topicsPolicy: data.to })),
  ChannelRetentionChanged: alters('channels', ofChannel, ({ data }) => ({ messageRetentionDays: data.to })),
  ChannelPutInFolder: alters('channels', ofChannel, ({ data }) => ({ folderId: data.to })),
  ChannelArchived: alters('channels', ofChannel, ({ position }, before) => archived(before, true, position)),
  ChannelUnarchived: alters('channels', ofChannel, ({ position }, before) => archived(before, false, position)),
};

const archived = (before: ChannelRecord, isArchived: boolean, position: Position): Partial<ChannelRecord> => ({
  isArchived,
  ...visibilityChange(before, { isArchived }, position),
});

/** Begins a new interval of visibility if the change makes a difference to it. */
function visibilityChange(
  before: ChannelRecord,
  change: Partial<Pick<ChannelRecord, 'inviteOnly' | 'permissions' | 'isArchived'>>,
  position: Position,
): Partial<ChannelRecord> {
  const { isArchived, ...channel } = { ...before, ...change };
  const seers = seersOf(channel);
  const isSame = isArchived === before.isArchived && JSON.stringify(seers) === JSON.stringify(seersOf(before));
  if (isSame) return {};
  return {
    sightIntervals: [...ended(before.sightIntervals, position), { seers, isArchived, from: position, to: null }],
  };
}
