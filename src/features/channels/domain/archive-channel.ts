import type { ChannelArchived } from '../../../events/channels/channels.events.js';
import { Command } from '../../../platform/kernel/command.js';
import type { CommandContext } from '../../../platform/kernel/command-context.js';
import type { Decide } from '../../../platform/kernel/decider.js';
import { refuse } from '../../../platform/kernel/domain-error.js';
import type { ChannelsState } from './channels.state.js';
import type { UpdateChannelFacts } from './update-channel.js';

/** Archives a channel: it takes no more messages, and keeps its name, messages and subscribers. */
export class ArchiveChannel extends Command<void> {
  constructor(
    readonly channelId: number,
    readonly by: CommandContext,
  ) {
    super();
  }
}

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
