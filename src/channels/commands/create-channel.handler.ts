import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { clientEvents } from '../../../projections/client-events.projection.js';
import { CommandRunner } from '../../command-runner/command-runner.js';
import { ReadYourWrites } from '../../command-runner/read-your-writes.js';
import { Directory } from '../../directory/directory.js';
import { may } from '../../directory/permissions.js';
import { renderMarkdown } from '../../messages/domain/render-markdown.js';
import { CHANNELS_STREAM } from '../domain/channels.events.js';
import { channels } from '../domain/channels.state.js';
import { CreateChannel, decideCreateChannel } from '../domain/create-channel.js';

@CommandHandler(CreateChannel)
export class CreateChannelHandler implements ICommandHandler<CreateChannel, number> {
  constructor(
    private readonly directory: Directory,
    private readonly runner: CommandRunner,
    private readonly readYourWrites: ReadYourWrites,
  ) {}

  /** @returns the new channel's id, when its first subscribers are subscribed */
  async execute(command: CreateChannel): Promise<number> {
    const creator = this.directory.user(command.creatorId);
    const permission = command.channel.inviteOnly
      ? 'can_create_private_channel_group'
      : 'can_create_public_channel_group';
    const { events, position } = await this.runner.decide({
      stream: CHANNELS_STREAM,
      decider: channels,
      decide: decideCreateChannel,
      command,
      context: {
        mayCreate: creator !== undefined && may(creator, permission, this.directory),
        renderedDescription: renderMarkdown(command.channel.description),
      },
      by: command.by,
    });
    await this.readYourWrites.waitForOrganization(position, [clientEvents]);
    const [created] = events;
    if (!created) throw new Error('a channel was neither created nor refused');
    return created.data.channelId;
  }
}
