import type {
  DefaultChannelAdded,
  DefaultChannelRemoved,
  RealmSettingChanged,
} from '../../../events/organization/organization.events.js';
import { CHANNEL_SETTINGS, NO_CHANNEL } from '../../../events/organization/realm.settings.js';
import { Command, type CommandContext, type Decide, refuse } from '../../../platform/kernel/deciding.js';
import { existing, type OrganizationState } from './organization.js';

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

/** Ends announcements in an archived channel. */
export class WithdrawAnnouncementChannel {
  constructor(
    readonly channelId: number,
    readonly by: CommandContext,
  ) {}
}

export const decideWithdrawAnnouncementChannel: Decide<
  WithdrawAnnouncementChannel,
  OrganizationState,
  RealmSettingChanged
> = ({ channelId }, state) => {
  const { settings } = existing(state);
  return CHANNEL_SETTINGS.filter((setting) => settings[setting] === channelId).map((setting) => ({
    type: 'RealmSettingChanged',
    data: { setting, from: channelId, to: NO_CHANNEL },
  }));
};
