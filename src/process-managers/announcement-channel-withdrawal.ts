import type { ChannelArchived } from '../channels/domain/channels.events.js';
import { derivedId } from '../kernel/derived-id.js';
import { ORGANIZATION_STREAM } from '../organization/domain/organization.events.js';
import { isOfSameSetting, organization } from '../organization/domain/organization.state.js';
import {
  decideWithdrawAnnouncementChannel,
  WithdrawAnnouncementChannel,
} from '../organization/domain/withdraw-announcement-channel.js';
import { processManager } from './process-manager.js';

/** A channel that is archived is none that the organisation's settings name. */
export const announcementChannelWithdrawal = processManager<ChannelArchived>({
  name: 'announcement-channel-withdrawal',
  on: 'ChannelArchived',
  react: async ({ id, data, metadata, position }, runner) => {
    const by = { actorId: metadata.actorId, client: metadata.client, correlationId: metadata.correlationId };
    const outcome = await runner.decide({
      stream: ORGANIZATION_STREAM,
      decider: organization,
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
