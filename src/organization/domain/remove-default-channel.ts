import type { CommandContext } from '../../kernel/command-context.js';
import type { Decide } from '../../kernel/decider.js';
import { refuse } from '../../kernel/domain-error.js';
import type { DefaultChannelRemoved } from './organization.events.js';
import { existing, type OrganizationState } from './organization.state.js';

/** New users are no longer subscribed to the channel. */
export class RemoveDefaultChannel {
  constructor(
    readonly channelId: number,
    readonly callerId: number,
    readonly by: CommandContext,
  ) {}
}

export const decideRemoveDefaultChannel: Decide<
  Pick<RemoveDefaultChannel, 'channelId'>,
  OrganizationState,
  DefaultChannelRemoved,
  { readonly isAdministrator: boolean; readonly channelExists: boolean }
> = ({ channelId }, state, { isAdministrator, channelExists }) => {
  if (!isAdministrator) refuse('ADMINISTRATOR_REQUIRED');
  if (!channelExists) refuse('INVALID_CHANNEL_ID');
  if (!existing(state).defaultChannelIds.includes(channelId)) return [];
  return [{ type: 'DefaultChannelRemoved', data: { channelId } }];
};
