import type { ChannelArchived } from '../../../events/channels/channels.events.js';
import { Command, type Decide, refuse } from '../../../platform/kernel/deciding.js';
import type { ChannelsState } from './channels.state.js';
import type { UpdateChannelFacts } from './update-channel.js';

/** Archives a channel: it takes no more messages, and keeps its name, messages and subscribers. */
export class ArchiveChannel extends Command<{ channelId: number }> {}

export const decideArchiveChannel: Decide<
  ArchiveChannel,
  ChannelsState,
  ChannelArchived,
  Pick<UpdateChannelFacts, 'maySee' | 'mayAdminister'>
> = ({ channelId }, state, { maySee, mayAdminister }) => {
  const channel = state.byId.get(channelId);
  if (!channel || !maySee) return refuse('INVALID_CHANNEL_ID');
  if (!mayAdminister) refuse('CANNOT_ADMINISTER_CHANNEL');
  if (channel.status === 'archived') return [];
  return [{ type: 'ChannelArchived', data: { channelId } }];
};
