import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { clientEvents } from '../../../projections/client-events.projection.js';
import { CommandRunner } from '../../command-runner/command-runner.js';
import { ReadYourWrites } from '../../command-runner/read-your-writes.js';
import { Directory } from '../../directory/directory.js';
import { ArchiveChannel, decideArchiveChannel } from '../domain/archive-channel.js';
import { CHANNELS_STREAM } from '../domain/channels.events.js';
import { channels } from '../domain/channels.state.js';
import { administrationFacts } from './administration-facts.js';

@CommandHandler(ArchiveChannel)
export class ArchiveChannelHandler implements ICommandHandler<ArchiveChannel, void> {
  constructor(
    private readonly directory: Directory,
    private readonly runner: CommandRunner,
    private readonly readYourWrites: ReadYourWrites,
  ) {}

  async execute(command: ArchiveChannel): Promise<void> {
    const { position } = await this.runner.decide({
      stream: CHANNELS_STREAM,
      decider: channels,
      decide: decideArchiveChannel,
      command,
      context: administrationFacts(command, this.directory),
      by: command.by,
    });
    await this.readYourWrites.waitForOrganization(position, [clientEvents]);
  }
}
