import { CommandBus, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Directory } from '../../../directory/directory.js';
import { deactivatedAmong } from '../../../directory/settings-naming.js';
import { Decisions } from '../../../platform/commands/decisions.js';
import { renderMarkdown } from '../../markdown/render-markdown.js';
import { ReturnNamedGroups } from '../../user-groups/domain/user-groups.js';
import { CreateChannel, decideCreateChannel } from '../domain/create-channel.js';
import { channelsStream } from './channel-streams.js';
import { creationFacts } from './creation-facts.js';

@CommandHandler(CreateChannel)
export class CreateChannelHandler implements ICommandHandler<CreateChannel> {
  constructor(
    private readonly directory: Directory,
    private readonly decisions: Decisions,
    private readonly commands: CommandBus,
  ) {}

  /** @returns the new channel's id, when its first subscribers are subscribed */
  async execute(command: CreateChannel): Promise<number> {
    const { events } = await this.decisions.decide(channelsStream, decideCreateChannel, command, {
      ...creationFacts(this.directory.user(command.creatorId), command.channel, this.directory),
      account: (id) => this.account(id),
      render: renderMarkdown,
    });
    const [created] = events;
    if (!created) throw new Error('a channel was neither created nor refused');
    const deactivated = deactivatedAmong(Object.values(created.data.permissions), this.directory);
    if (deactivated.length > 0)
      await this.commands.execute(new ReturnNamedGroups({ groupIds: deactivated, by: command.by }));
    return created.data.channelId;
  }

  private account(userId: number): 'active' | 'deactivated' | 'unknown' {
    const user = this.directory.user(userId);
    if (!user) return 'unknown';
    return user.isActive ? 'active' : 'deactivated';
  }
}
