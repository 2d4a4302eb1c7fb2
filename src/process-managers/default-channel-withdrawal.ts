import type { ChannelArchived, ChannelPrivacyChanged } from '../channels/domain/channels.events.js';
import type { CommandRunner } from '../command-runner/command-runner.js';
import { derivedId } from '../kernel/derived-id.js';
import type { Recorded } from '../kernel/event.js';
import type { Position } from '../kernel/position.js';
import { ORGANIZATION_STREAM } from '../organization/domain/organization.events.js';
import { isOfSameDefault, organization } from '../organization/domain/organization.state.js';
import { decideRemoveDefaultChannel } from '../organization/domain/remove-default-channel.js';
import { processManager } from './process-manager.js';

/** A channel that becomes private is no default any more. */
export const privateChannelWithdrawal = processManager<ChannelPrivacyChanged>({
  name: 'private-channel-withdrawal',
  on: 'ChannelPrivacyChanged',
  react: async (event, runner) => (event.data.to.inviteOnly ? withdraw(event, runner) : event.position),
});

/** Nor is one that is archived. */
export const archivedChannelWithdrawal = processManager<ChannelArchived>({
  name: 'archived-channel-withdrawal',
  on: 'ChannelArchived',
  react: (event, runner) => withdraw(event, runner),
});

async function withdraw(
  { id, data, metadata, position }: Recorded<ChannelPrivacyChanged | ChannelArchived>,
  runner: CommandRunner,
): Promise<Position> {
  const outcome = await runner.decide({
    stream: ORGANIZATION_STREAM,
    decider: organization,
    decide: decideRemoveDefaultChannel,
    command: { channelId: data.channelId },
    context: { isAdministrator: true, channelExists: true },
    by: { actorId: metadata.actorId, client: metadata.client, correlationId: metadata.correlationId },
    cause: {
      eventId: id,
      position,
      ids: (index) => derivedId('default-channel-withdrawal', id, index),
      isAboutTheSame: isOfSameDefault,
    },
  });
  return Math.max(position, outcome.position);
}
