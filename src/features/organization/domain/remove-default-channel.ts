import type { DefaultChannelRemoved } from '../../../events/organization/organization.events.js';
import { Command } from '../../../platform/kernel/command.js';
import type { CommandContext } from '../../../platform/kernel/command-context.js';
import type { Decide } from '../../../platform/kernel/decider.js';
import { refuse } from '../../../platform/kernel/domain-error.js';
import { existing, type OrganizationState } from './organization.state.js';

/** Removes a default channel: new users are no longer subscribed to it. */
export class RemoveDefaultChannel extends Command<void> {
  constructor(
    readonly channelId: number,
    readonly callerId: number,
    readonly by: CommandContext,
  ) {
    super();
  }
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
