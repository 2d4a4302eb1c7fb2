import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { clientEvents } from '../../../projections/client-events.projection.js';
import { CommandRunner } from '../../command-runner/command-runner.js';
import { ReadYourWrites } from '../../command-runner/read-your-writes.js';
import { Directory } from '../../directory/directory.js';
import { may } from '../../directory/permissions.js';
import { AddDefaultChannel, type DefaultChannelFacts, decideAddDefaultChannel } from '../domain/add-default-channel.js';
import { ORGANIZATION_STREAM } from '../domain/organization.events.js';
import { organization } from '../domain/organization.state.js';
import { decideRemoveDefaultChannel } from '../domain/remove-default-channel.js';

@CommandHandler(AddDefaultChannel)
export class AddDefaultChannelHandler implements ICommandHandler<AddDefaultChannel, void> {
  constructor(
    private readonly directory: Directory,
    private readonly runner: CommandRunner,
    private readonly readYourWrites: ReadYourWrites,
  ) {}

  async execute(command: AddDefaultChannel): Promise<void> {
    const { events, position } = await this.runner.decide({
      stream: ORGANIZATION_STREAM,
      decider: organization,
      decide: decideAddDefaultChannel,
      command,
      context: this.facts(command),
      by: command.by,
    });
    await this.readYourWrites.waitForOrganization(position, [clientEvents]);
    if (events.length > 0) await this.takeBackIfPrivateMeanwhile(command);
  }

  private facts({ channelId, callerId }: AddDefaultChannel): DefaultChannelFacts {
    const caller = this.directory.user(callerId);
    const channel = this.directory.channel(channelId);
    return {
      isAdministrator: caller !== undefined && may(caller, 'administer', this.directory),
      channel: channel && !channel.isArchived ? { isPrivate: channel.inviteOnly } : null,
    };
  }

  /** A channel that was made private before this was appended, and after it was looked at, found nothing to leave then. */
  private async takeBackIfPrivateMeanwhile(command: AddDefaultChannel): Promise<void> {
    const { channel } = this.facts(command);
    if (channel && !channel.isPrivate) return;
    const { position } = await this.runner.decide({
      stream: ORGANIZATION_STREAM,
      decider: organization,
      decide: decideRemoveDefaultChannel,
      command,
      context: { isAdministrator: true, channelExists: true },
      by: command.by,
    });
    await this.readYourWrites.waitForOrganization(position, [clientEvents]);
  }
}
