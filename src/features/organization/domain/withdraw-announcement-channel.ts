import type { RealmSettingChanged } from '../../../events/organization/organization.events.js';
import { CHANNEL_SETTINGS, NO_CHANNEL } from '../../../events/organization/realm.settings.js';
import type { CommandContext, Decide } from '../../../platform/kernel/deciding.js';
import { existing, type OrganizationState } from './organization.state.js';

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
