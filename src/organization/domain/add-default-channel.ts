import type { CommandContext } from '../../kernel/command-context.js';
import type { Decide } from '../../kernel/decider.js';
import { refuse } from '../../kernel/domain-error.js';
import type { DefaultChannelAdded } from './organization.events.js';
import { existing, type OrganizationState } from './organization.state.js';

/** New users are subscribed to the channel from now on. */
export class AddDefaultChannel {
  constructor(
    readonly channelId: number,
    readonly callerId: number,
    readonly by: CommandContext,
  ) {}
}

export interface DefaultChannelFacts {
  readonly isAdministrator: boolean;
  /** null where there is no such channel that is in use. */
  readonly channel: { readonly isPrivate: boolean } | null;
}

export const decideAddDefaultChannel: Decide<
  AddDefaultChannel,
  OrganizationState,
  DefaultChannelAdded,
  DefaultChannelFacts
> = ({ channelId }, state, { isAdministrator, channel }) => {
  if (!isAdministrator) refuse('ADMINISTRATOR_REQUIRED');
  if (!channel) return refuse('INVALID_CHANNEL_ID');
  if (channel.isPrivate) refuse('DEFAULT_CHANNEL_PRIVATE');
  if (existing(state).defaultChannelIds.includes(channelId)) return [];
  return [{ type: 'DefaultChannelAdded', data: { channelId } }];
};
