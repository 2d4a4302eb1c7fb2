import type { ChannelCreated } from '../../../events/channels/channels.events.js';
import { CHANNEL_PERMISSIONS } from '../../../events/channels/channels.settings.js';
import { initialPermissions } from '../../../events/shared/group-setting-rules.js';
import { Command, type Decide, refuse } from '../../../platform/kernel/deciding.js';
import { foldCase } from '../../../platform/kernel/text.js';
import { folderForChannels } from './channel-folders.state.js';
import {
  type ChannelCreationFacts,
  type ChannelOptions,
  initialHistory,
  requireUsableOptions,
} from './channel-options.js';
import { type ChannelsState, channelDescription, channelName } from './channels.state.js';

export interface NewChannel extends ChannelOptions {
  readonly name: string;
  readonly description: string;
  readonly subscriberIds: readonly number[];
}

export class CreateChannel extends Command<{ channel: NewChannel; creatorId: number }, number> {}

export interface CreateChannelFacts extends ChannelCreationFacts {
  readonly account: (id: number) => 'active' | 'deactivated' | 'unknown';
  readonly render: (description: string) => string;
}

export const decideCreateChannel: Decide<CreateChannel, ChannelsState, ChannelCreated, CreateChannelFacts> = (
  { channel, creatorId },
  state,
  facts,
) => {
  requireCreatable(channel, facts);
  for (const userId of channel.subscriberIds) requireActive(userId, facts);
  const name = channelName(channel.name);
  if (state.idByName.has(foldCase(name))) refuse('CHANNEL_ALREADY_EXISTS', { name });
  const description = channelDescription(channel.description);
  const folderId = channel.folderId ?? null;
  if (folderId !== null) folderForChannels(folderId, state.folders);
  return [
    {
      type: 'ChannelCreated',
      data: {
        channelId: state.lastId + 1,
        name,
        description,
        renderedDescription: facts.render(description),
        inviteOnly: channel.inviteOnly,
        historyPublicToSubscribers: initialHistory(channel),
        topicsPolicy: channel.topicsPolicy ?? 'inherit',
        messageRetentionDays: channel.messageRetentionDays ?? null,
        permissions: initialPermissions(CHANNEL_PERMISSIONS, channel.permissions ?? {}, creatorId, facts.groups),
        creatorId,
        subscriberIds: [...new Set(channel.subscriberIds)],
        isDefault: channel.isDefault ?? false,
        folderId,
      },
    },
  ];
};

function requireActive(userId: number, { account }: CreateChannelFacts): void {
  const status = account(userId);
  if (status === 'unknown') refuse('INVALID_USER_ID', { userId });
  if (status === 'deactivated') refuse('PRINCIPAL_DEACTIVATED');
}

/** Checks a channel without regard to others. A request for several channels checks each before it creates any. */
export function requireCreatable(
  channel: ChannelOptions & Pick<NewChannel, 'name' | 'description'>,
  facts: ChannelCreationFacts,
): void {
  requireUsableOptions(channel, facts);
  channelName(channel.name);
  channelDescription(channel.description);
}
