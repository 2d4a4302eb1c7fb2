import type { DefaultChannelAdded } from '../../../events/organization/organization.events.js';
import { Command, type Decide, refuse } from '../../../platform/kernel/deciding.js';
import { existing, type OrganizationState } from './organization.state.js';

/** Adds a default channel: new users are subscribed to it. */
export class AddDefaultChannel extends Command<{ channelId: number; callerId: number }> {}

export interface DefaultChannelFacts {
  readonly isAdministrator: boolean;
  /** null if the channel does not exist or is archived. */
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
