import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { clientEvents } from '../../../projections/client-events.projection.js';
import { CommandRunner } from '../../command-runner/command-runner.js';
import { ReadYourWrites } from '../../command-runner/read-your-writes.js';
import { mayCreateChannels } from '../../directory/channel-sight.js';
import { Directory } from '../../directory/directory.js';
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
    const { events, position } = await this.runner.decide({
      stream: CHANNELS_STREAM,
      decider: channels,
      decide: decideCreateChannel,
      command,
      context: {
        mayCreate: creator !== undefined && mayCreateChannels(creator),
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
