import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { clientEvents } from '../../../projections/client-events.projection.js';
import { CommandRunner } from '../../command-runner/command-runner.js';
import { ReadYourWrites } from '../../command-runner/read-your-writes.js';
import { Directory } from '../../directory/directory.js';
import { may } from '../../directory/permissions.js';
import { ORGANIZATION_STREAM } from '../domain/organization.events.js';
import { organization } from '../domain/organization.state.js';
import { decideRemoveDefaultChannel, RemoveDefaultChannel } from '../domain/remove-default-channel.js';

@CommandHandler(RemoveDefaultChannel)
export class RemoveDefaultChannelHandler implements ICommandHandler<RemoveDefaultChannel, void> {
  constructor(
    private readonly directory: Directory,
    private readonly runner: CommandRunner,
    private readonly readYourWrites: ReadYourWrites,
  ) {}

  async execute(command: RemoveDefaultChannel): Promise<void> {
    const caller = this.directory.user(command.callerId);
    const { position } = await this.runner.decide({
      stream: ORGANIZATION_STREAM,
      decider: organization,
      decide: decideRemoveDefaultChannel,
      command,
      context: {
        isAdministrator: caller !== undefined && may(caller, 'administer', this.directory),
        channelExists: this.directory.channel(command.channelId) !== undefined,
      },
      by: command.by,
    });
    await this.readYourWrites.waitForOrganization(position, [clientEvents]);
  }
}
