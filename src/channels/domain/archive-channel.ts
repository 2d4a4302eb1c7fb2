import type { CommandContext } from '../../kernel/command-context.js';
import type { Decide } from '../../kernel/decider.js';
import { refuse } from '../../kernel/domain-error.js';
import type { ChannelArchived } from './channels.events.js';
import type { ChannelsState } from './channels.state.js';
import type { UpdateChannelFacts } from './update-channel.js';

/** It takes no messages any more; its name, its words and its subscribers stay. */
export class ArchiveChannel {
  constructor(
    readonly channelId: number,
    readonly by: CommandContext,
  ) {}
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
