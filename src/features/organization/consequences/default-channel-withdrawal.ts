import type { ChannelArchived, ChannelPrivacyChanged } from '../../../events/channels/channels.events.js';
import { ORGANIZATION_STREAM } from '../../../events/organization/organization.events.js';
import type { CommandRunner } from '../../../platform/commands/command-runner.js';
import { processManager } from '../../../platform/consumers/process-manager.js';
import type { Recorded } from '../../../platform/kernel/event.js';
import { derivedId } from '../../../platform/kernel/ids.js';
import type { Position } from '../../../platform/kernel/position.js';
import { isOfSameDefault, organization } from '../domain/organization.state.js';
import { decideRemoveDefaultChannel } from '../domain/remove-default-channel.js';

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
  const outcome = await runner.decide({
    stream: ORGANIZATION_STREAM,
    decider: organization,
    expects: 'any',
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
