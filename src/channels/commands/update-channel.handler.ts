import { Inject } from '@nestjs/common';
import { CommandBus, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { clientEvents } from '../../../projections/client-events.projection.js';
import { READ_MODELS, type ReadModels } from '../../../projections/runner/read-models.js';
import { CommandRunner } from '../../command-runner/command-runner.js';
import { ReadYourWrites } from '../../command-runner/read-your-writes.js';
import { Directory } from '../../directory/directory.js';
import { deactivatedAmong } from '../../directory/settings-naming.js';
import { AddDefaultChannel } from '../../organization/domain/add-default-channel.js';
import { RemoveDefaultChannel } from '../../organization/domain/remove-default-channel.js';
import { ReturnNamedGroups } from '../../user-groups/domain/return-named-groups.js';
import { CHANNELS_STREAM } from '../domain/channels.events.js';
import { channels } from '../domain/channels.state.js';
import { decideUpdateChannel, UpdateChannel } from '../domain/update-channel.js';
import { hasTopics } from '../queries/has-topics.js';
import { updateFacts } from './administration-facts.js';

@CommandHandler(UpdateChannel)
export class UpdateChannelHandler implements ICommandHandler<UpdateChannel, void> {
  constructor(
    private readonly directory: Directory,
    private readonly runner: CommandRunner,
    private readonly readYourWrites: ReadYourWrites,
    private readonly commands: CommandBus,
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
  ) {}

  async execute(command: UpdateChannel): Promise<void> {
    const { channelId, changes, by } = command;
    const asksForTopics = changes.topicsPolicy === 'empty_topic_only';
    const context = {
      ...updateFacts(command, this.directory),
      hasTopics: asksForTopics && (await hasTopics(channelId, this.readModels)),
    };
    const { events, position } = await this.runner.decide({
      stream: CHANNELS_STREAM,
      decider: channels,
      decide: decideUpdateChannel,
      command,
      context,
      by,
    });
    await this.readYourWrites.waitForOrganization(position, [clientEvents]);
    const given = events.flatMap((event) => (event.type === 'ChannelPermissionChanged' ? [event.data.to] : []));
    const gone = deactivatedAmong(given, this.directory);
    if (gone.length > 0) await this.commands.execute(new ReturnNamedGroups(gone, by));

    // The list of default channels is another stream's: by now it cannot be refused what was asked for.
    const { isDefault } = changes;
    if (isDefault === undefined || by.actorId === null) return;

    await this.commands.execute(
      isDefault
        ? new AddDefaultChannel(channelId, by.actorId, by)
        : new RemoveDefaultChannel(channelId, by.actorId, by),
    );
  }
}
