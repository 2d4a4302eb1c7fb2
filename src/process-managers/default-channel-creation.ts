import type { ChannelCreated } from '../channels/domain/channels.events.js';
import { derivedId } from '../kernel/derived-id.js';
import { AddDefaultChannel, decideAddDefaultChannel } from '../organization/domain/add-default-channel.js';
import { ORGANIZATION_STREAM } from '../organization/domain/organization.events.js';
import { isOfSameDefault, organization } from '../organization/domain/organization.state.js';
import { processManager } from './process-manager.js';

/** A channel is created as one of those that new users are subscribed to. */
export const defaultChannelCreation = processManager<ChannelCreated>({
  name: 'default-channel-creation',
  on: 'ChannelCreated',
  react: async ({ id, data, metadata, position }, runner) => {
    if (!data.isDefault) return position;
    const by = { actorId: metadata.actorId, client: metadata.client, correlationId: metadata.correlationId };
    const outcome = await runner.decide({
      stream: ORGANIZATION_STREAM,
      decider: organization,
      decide: decideAddDefaultChannel,
      command: new AddDefaultChannel(data.channelId, data.creatorId, by),
      // Decided with the channel's creation.
      context: { isAdministrator: true, channel: { isPrivate: false } },
      by,
      cause: {
        eventId: id,
        position,
        ids: (index) => derivedId('default-channel-creation', id, index),
        isAboutTheSame: isOfSameDefault,
      },
    });
    return Math.max(position, outcome.position);
  },
});
