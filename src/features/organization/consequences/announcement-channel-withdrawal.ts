import type { ChannelArchived } from '../../../events/channels/channels.events.js';
import { ORGANIZATION_STREAM } from '../../../events/organization/organization.events.js';
import { processManager } from '../../../platform/consumers/process-manager.js';
import { derivedId } from '../../../platform/kernel/ids.js';
import { isOfSameSetting, organization } from '../domain/organization.state.js';
import {
  decideWithdrawAnnouncementChannel,
  WithdrawAnnouncementChannel,
} from '../domain/withdraw-announcement-channel.js';

/** Withdraws an archived channel from the settings that name it. */
export const announcementChannelWithdrawal = processManager<ChannelArchived>({
  name: 'announcement-channel-withdrawal',
  on: 'ChannelArchived',
  appends: ['RealmSettingChanged'],
  react: async ({ id, data, metadata, position }, runner) => {
    const by = { actorId: metadata.actorId, client: metadata.client, correlationId: metadata.correlationId };
    const outcome = await runner.decide({
      stream: ORGANIZATION_STREAM,
      decider: organization,
      expects: 'any',
      decide: decideWithdrawAnnouncementChannel,
      command: new WithdrawAnnouncementChannel(data.channelId, by),
      context: undefined,
      by,
      cause: {
        eventId: id,
        position,
        ids: (index) => derivedId('announcement-channel-withdrawal', id, index),
        isAboutTheSame: isOfSameSetting,
      },
    });
    return Math.max(position, outcome.position);
  },
});
