import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Directory } from '../../../directory/directory.js';
import { may } from '../../../directory/permissions.js';
import { Decisions } from '../../../platform/commands/decisions.js';
import { AddDefaultChannel, type DefaultChannelFacts, decideAddDefaultChannel } from '../domain/add-default-channel.js';
import { decideRemoveDefaultChannel } from '../domain/remove-default-channel.js';
import { organizationStream } from './organization-stream.js';

@CommandHandler(AddDefaultChannel)
export class AddDefaultChannelHandler implements ICommandHandler<AddDefaultChannel> {
  constructor(
    private readonly directory: Directory,
    private readonly decisions: Decisions,
  ) {}

  async execute(command: AddDefaultChannel): Promise<void> {
    const facts = this.facts(command);
    const { events } = await this.decisions.decide(organizationStream, decideAddDefaultChannel, command, facts);
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

  /** Checks again after the append: the channel may have become private, and its withdrawal may have run too early. */
  private async takeBackIfPrivateMeanwhile(command: AddDefaultChannel): Promise<void> {
    const { channel } = this.facts(command);
    if (channel && !channel.isPrivate) return;
    const facts = { isAdministrator: true, channelExists: true };
    await this.decisions.decide(organizationStream, decideRemoveDefaultChannel, command, facts);
  }
}
