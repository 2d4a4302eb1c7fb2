import type { CommandContext } from '../../kernel/command-context.js';
import type { Decide } from '../../kernel/decider.js';
import { refuse } from '../../kernel/domain-error.js';
import { fold } from '../../kernel/fold.js';
import { defaultGroupSetting } from '../../kernel/group-setting.js';
import type { ChannelCreated } from './channels.events.js';
import { CHANNEL_PERMISSIONS, type ChannelPermissions } from './channels.settings.js';
import type { ChannelsState } from './channels.state.js';

/** In Unicode code points; `max_stream_name_length` and `max_stream_description_length` of the register response. */
export const MAX_CHANNEL_NAME = 60;
export const MAX_CHANNEL_DESCRIPTION = 1024;

export class CreateChannel {
  constructor(
    readonly channel: {
      readonly name: string;
      readonly description: string;
      readonly inviteOnly: boolean;
      readonly historyPublicToSubscribers: boolean;
      readonly subscriberIds: readonly number[];
    },
    readonly creatorId: number,
    readonly by: CommandContext,
  ) {}
}

export interface CreateChannelFacts {
  readonly mayCreate: boolean;
  readonly renderedDescription: string;
}

export const decideCreateChannel: Decide<CreateChannel, ChannelsState, ChannelCreated, CreateChannelFacts> = (
  { channel, creatorId },
  state,
  facts,
) => {
  const name = channel.name.trim();
  requireCreatable(channel, facts);
  if (state.idByName.has(fold(name))) refuse('CHANNEL_ALREADY_EXISTS', { name });
  return [
    {
      type: 'ChannelCreated',
      data: {
        channelId: state.lastId + 1,
        name,
        description: channel.description,
        renderedDescription: facts.renderedDescription,
        inviteOnly: channel.inviteOnly,
        historyPublicToSubscribers: channel.historyPublicToSubscribers,
        topicsPolicy: 'inherit',
        messageRetentionDays: null,
        permissions: defaultPermissions(creatorId),
        creatorId,
        subscriberIds: channel.subscriberIds,
      },
    },
  ];
};

/** Of a channel whose creator chooses none. */
const defaultPermissions = (creatorId: number): ChannelPermissions =>
  Object.fromEntries(
    Object.entries(CHANNEL_PERMISSIONS).map(([name, setting]) => [name, defaultGroupSetting(setting, creatorId)]),
  ) as unknown as ChannelPermissions;

/** All that can be said against a channel whatever others there are: a request for several asks it of each before any is created. */
export function requireCreatable(
  channel: { readonly name: string; readonly description: string },
  { mayCreate }: Pick<CreateChannelFacts, 'mayCreate'>,
): void {
  const name = channel.name.trim();
  if (!mayCreate) refuse('NOT_AUTHORIZED');
  if (name === '') refuse('CHANNEL_NAME_EMPTY');
  if ([...name].length > MAX_CHANNEL_NAME) refuse('CHANNEL_NAME_TOO_LONG', { limit: MAX_CHANNEL_NAME });
  if (/\p{Cc}/u.test(name)) refuse('CHANNEL_NAME_INVALID');
  if ([...channel.description].length > MAX_CHANNEL_DESCRIPTION) {
    refuse('CHANNEL_DESCRIPTION_TOO_LONG', { limit: MAX_CHANNEL_DESCRIPTION });
  }
}
