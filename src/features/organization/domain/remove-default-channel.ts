import type { DefaultChannelRemoved } from '../../../events/organization/organization.events.js';
import { Command, type Decide, refuse } from '../../../platform/kernel/deciding.js';
import { existing, type OrganizationState } from './organization.state.js';

/** Removes a default channel: new users are no longer subscribed to it. */
export class RemoveDefaultChannel extends Command<{ channelId: number; callerId: number }> {}

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
