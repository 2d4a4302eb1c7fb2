import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { clientEvents } from '../../../projections/client-events.projection.js';
import { CommandRunner } from '../../command-runner/command-runner.js';
import { ReadYourWrites } from '../../command-runner/read-your-writes.js';
import { LeftBehind } from '../../read-state/commands/left-behind.js';
import { decideUnsubscribeUsers, UnsubscribeUsers } from '../domain/unsubscribe-users.js';
import { decideInChannel } from './decide-in-channel.js';

@CommandHandler(UnsubscribeUsers)
export class UnsubscribeUsersHandler implements ICommandHandler<UnsubscribeUsers, readonly number[]> {
  constructor(
    private readonly runner: CommandRunner,
    private readonly readYourWrites: ReadYourWrites,
    private readonly leftBehind: LeftBehind,
  ) {}

  /** @returns ids of the users who were subscribed before */
  async execute(command: UnsubscribeUsers): Promise<readonly number[]> {
    const { events, position } = await decideInChannel(this.runner, decideUnsubscribeUsers, command, command.by);
    const userIds = events.flatMap(({ data }) => data.userIds);
    await this.readYourWrites.waitForOrganization(position, [clientEvents]);
    await this.leftBehind.markRead([{ channelId: command.channelId, userIds, position }], command.by);
    return userIds;
  }
}
