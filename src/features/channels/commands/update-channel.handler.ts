import { CommandBus, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Facts } from '../../../directory/facts.js';
import { deactivatedAmong } from '../../../directory/settings-naming.js';
import { Decisions } from '../../../platform/commands/decisions.js';
import { AddDefaultChannel, RemoveDefaultChannel } from '../../organization/domain/default-channels.js';
import { ReturnNamedGroups } from '../../user-groups/domain/user-groups.js';
import { decideUpdateChannel, UpdateChannel } from '../domain/update-channel.js';
import { hasTopics } from '../queries/has-topics.js';
import { updateFacts } from './administration-facts.js';
import { channelsStream } from './channel-streams.js';

@CommandHandler(UpdateChannel)
export class UpdateChannelHandler implements ICommandHandler<UpdateChannel> {
  constructor(
    private readonly facts: Facts,
    private readonly decisions: Decisions,
    private readonly commands: CommandBus,
  ) {}

  async execute(command: UpdateChannel): Promise<void> {
    const { channelId, changes, by } = command;
    const asksForTopics = changes.topicsPolicy === 'empty_topic_only';
    const context = {
      ...updateFacts(command, this.facts.directory),
      hasTopics: asksForTopics && (await hasTopics(channelId, this.facts.readModels)),
    };
    const { events } = await this.decisions.decide(channelsStream, decideUpdateChannel, command, context);
    const given = events.flatMap((event) => (event.type === 'ChannelPermissionChanged' ? [event.data.to] : []));
    const deactivated = deactivatedAmong(given, this.facts.directory);
    if (deactivated.length > 0) await this.commands.execute(new ReturnNamedGroups({ groupIds: deactivated, by }));

    // Default channels are in another stream; the decision above has already checked this change.
    const { isDefault } = changes;
    if (isDefault === undefined || by.actorId === null) return;

    await this.commands.execute(
      isDefault
        ? new AddDefaultChannel({ channelId, callerId: by.actorId, by })
        : new RemoveDefaultChannel({ channelId, callerId: by.actorId, by }),
    );
  }
}
