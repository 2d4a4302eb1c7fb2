import { CommandBus, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { clientEvents } from '../../../projections/client-events.projection.js';
import { CommandRunner } from '../../command-runner/command-runner.js';
import { ReadYourWrites } from '../../command-runner/read-your-writes.js';
import { Directory } from '../../directory/directory.js';
import { deactivatedAmong } from '../../directory/settings-naming.js';
import { renderMarkdown } from '../../messages/domain/render-markdown.js';
import { ReturnNamedGroups } from '../../user-groups/domain/return-named-groups.js';
import { CHANNELS_STREAM } from '../domain/channels.events.js';
import { channels } from '../domain/channels.state.js';
import { CreateChannel, decideCreateChannel } from '../domain/create-channel.js';
import { creationFacts } from './creation-facts.js';

@CommandHandler(CreateChannel)
export class CreateChannelHandler implements ICommandHandler<CreateChannel, number> {
  constructor(
    private readonly directory: Directory,
    private readonly runner: CommandRunner,
    private readonly readYourWrites: ReadYourWrites,
    private readonly commands: CommandBus,
  ) {}

  /** @returns the new channel's id, when its first subscribers are subscribed */
  async execute(command: CreateChannel): Promise<number> {
    const { events, position } = await this.runner.decide({
      stream: CHANNELS_STREAM,
      decider: channels,
      decide: decideCreateChannel,
      command,
      context: {
        ...creationFacts(this.directory.user(command.creatorId), command.channel, this.directory),
        account: (id) => this.account(id),
        render: renderMarkdown,
      },
      by: command.by,
    });
    await this.readYourWrites.waitForOrganization(position, [clientEvents]);
    const [created] = events;
    if (!created) throw new Error('a channel was neither created nor refused');
    const gone = deactivatedAmong(Object.values(created.data.permissions), this.directory);
    if (gone.length > 0) await this.commands.execute(new ReturnNamedGroups(gone, command.by));
    return created.data.channelId;
  }

  private account(userId: number): 'active' | 'deactivated' | 'unknown' {
    const user = this.directory.user(userId);
    if (!user) return 'unknown';
    return user.isActive ? 'active' : 'deactivated';
  }
}
