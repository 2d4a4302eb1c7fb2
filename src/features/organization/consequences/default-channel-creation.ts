import type { ChannelCreated } from '../../../events/channels/channels.events.js';
import { ORGANIZATION_STREAM } from '../../../events/organization/organization.events.js';
import { processManager } from '../../../platform/consumers/process-manager.js';
import { derivedId } from '../../../platform/kernel/ids.js';
import { AddDefaultChannel, decideAddDefaultChannel } from '../domain/add-default-channel.js';
import { isOfSameDefault, organization } from '../domain/organization.state.js';

/** Adds a new channel to the default channels, if it was created as a default channel. */
export const defaultChannelCreation = processManager<ChannelCreated>({
  name: 'default-channel-creation',
  on: 'ChannelCreated',
  appends: ['DefaultChannelAdded'],
  react: async ({ id, data, metadata, position }, runner) => {
    if (!data.isDefault) return position;
    const by = { actorId: metadata.actorId, client: metadata.client, correlationId: metadata.correlationId };
    const outcome = await runner.decide({
      stream: ORGANIZATION_STREAM,
      decider: organization,
      expects: 'any',
      decide: decideAddDefaultChannel,
      command: new AddDefaultChannel({ channelId: data.channelId, callerId: data.creatorId, by }),
      // These facts were checked when the channel was created.
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
