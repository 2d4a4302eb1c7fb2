import type {
  ChannelArchived,
  ChannelCreated,
  ChannelPrivacyChanged,
} from '../../../events/channels/channels.events.js';
import { ORGANIZATION_STREAM } from '../../../events/organization/organization.events.js';
import type { CommandRunner } from '../../../platform/commands/command-runner.js';
import { causerOf, decideAfter, processManager } from '../../../platform/consumers/process-manager.js';
import type { Recorded } from '../../../platform/kernel/event.js';
import { derivedId } from '../../../platform/kernel/ids.js';
import type { Position } from '../../../platform/kernel/position.js';
import {
  AddDefaultChannel,
  decideAddDefaultChannel,
  decideRemoveDefaultChannel,
  decideWithdrawAnnouncementChannel,
  WithdrawAnnouncementChannel,
} from '../domain/default-channels.js';
import { isOfSameDefault, isOfSameSetting, organization } from '../domain/organization.js';

/** Adds a new channel to the default channels, if it was created as a default channel. */
export const defaultChannelCreation = processManager<ChannelCreated>({
  name: 'default-channel-creation',
  on: 'ChannelCreated',
  appends: ['DefaultChannelAdded'],
  react: async ({ id, data, metadata, position }, runner) => {
    if (!data.isDefault) return position;
    const by = causerOf({ metadata });
    const outcome = await decideAfter({ id, metadata, position }, runner, {
      stream: ORGANIZATION_STREAM,
      decider: organization,
      decide: decideAddDefaultChannel,
      command: new AddDefaultChannel({ channelId: data.channelId, callerId: data.creatorId, by }),
      // These facts were checked when the channel was created.
      context: { isAdministrator: true, channel: { isPrivate: false } },
      ids: (index) => derivedId('default-channel-creation', id, index),
      isAboutTheSame: isOfSameDefault,
    });
    return outcome.position;
  },
});

/** Withdraws a channel that becomes private from the default channels. */
export const privateChannelWithdrawal = processManager<ChannelPrivacyChanged>({
  name: 'private-channel-withdrawal',
  on: 'ChannelPrivacyChanged',
  appends: ['DefaultChannelRemoved'],
  react: async (event, runner) => (event.data.to.inviteOnly ? withdraw(event, runner) : event.position),
});

/** Withdraws a channel that is archived from the default channels. */
export const archivedChannelWithdrawal = processManager<ChannelArchived>({
  name: 'archived-channel-withdrawal',
  on: 'ChannelArchived',
  appends: ['DefaultChannelRemoved'],
  react: (event, runner) => withdraw(event, runner),
});

async function withdraw(
  { id, data, metadata, position }: Recorded<ChannelPrivacyChanged | ChannelArchived>,
  runner: CommandRunner,
): Promise<Position> {
  const outcome = await decideAfter({ id, metadata, position }, runner, {
    stream: ORGANIZATION_STREAM,
    decider: organization,
    decide: decideRemoveDefaultChannel,
    command: { channelId: data.channelId },
    context: { isAdministrator: true, channelExists: true },
    ids: (index) => derivedId('default-channel-withdrawal', id, index),
    isAboutTheSame: isOfSameDefault,
  });
  return outcome.position;
}

/** Withdraws an archived channel from the settings that name it. */
export const announcementChannelWithdrawal = processManager<ChannelArchived>({
  name: 'announcement-channel-withdrawal',
  on: 'ChannelArchived',
  appends: ['RealmSettingChanged'],
  react: async ({ id, data, metadata, position }, runner) => {
    const by = causerOf({ metadata });
    const outcome = await decideAfter({ id, metadata, position }, runner, {
      stream: ORGANIZATION_STREAM,
      decider: organization,
      decide: decideWithdrawAnnouncementChannel,
      command: new WithdrawAnnouncementChannel(data.channelId, by),
      context: undefined,
      ids: (index) => derivedId('announcement-channel-withdrawal', id, index),
      isAboutTheSame: isOfSameSetting,
    });
    return outcome.position;
  },
});
