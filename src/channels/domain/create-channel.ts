import type { CommandContext } from '../../kernel/command-context.js';
import type { Decide } from '../../kernel/decider.js';
import { refuse } from '../../kernel/domain-error.js';
import { fold } from '../../kernel/fold.js';
import {
  type ChannelCreationFacts,
  type ChannelOptions,
  initialHistory,
  initialPermissions,
  requireUsableOptions,
} from './channel-options.js';
import { channelDescription, channelName } from './channel-words.js';
import type { ChannelCreated } from './channels.events.js';
import type { ChannelsState } from './channels.state.js';

export interface NewChannel extends ChannelOptions {
  readonly name: string;
  readonly description: string;
  readonly subscriberIds: readonly number[];
}

export class CreateChannel {
  constructor(
    readonly channel: NewChannel,
    readonly creatorId: number,
    readonly by: CommandContext,
  ) {}
}

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
  for (const userId of channel.subscriberIds) {
    const account = facts.account(userId);
    if (account === 'unknown') refuse('INVALID_USER_ID', { userId });
    if (account === 'deactivated') refuse('PRINCIPAL_DEACTIVATED');
  }
  const name = channelName(channel.name);
  if (state.idByName.has(fold(name))) refuse('CHANNEL_ALREADY_EXISTS', { name });
  const description = channelDescription(channel.description);
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
        permissions: initialPermissions(channel, creatorId, facts.groups),
        creatorId,
        subscriberIds: [...new Set(channel.subscriberIds)],
        isDefault: channel.isDefault ?? false,
      },
    },
  ];
};

/** All that can be said against a channel whatever others there are: a request for several asks it of each before any is created. */
export function requireCreatable(
  channel: ChannelOptions & Pick<NewChannel, 'name' | 'description'>,
  facts: ChannelCreationFacts,
): void {
  requireUsableOptions(channel, facts);
  channelName(channel.name);
  channelDescription(channel.description);
}
