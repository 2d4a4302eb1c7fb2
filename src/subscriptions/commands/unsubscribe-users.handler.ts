import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { clientEvents } from '../../../projections/client-events.projection.js';
import { readState } from '../../../projections/read-state.projection.js';
import { CommandRunner } from '../../command-runner/command-runner.js';
import { ReadYourWrites } from '../../command-runner/read-your-writes.js';
import { decideUnsubscribeUsers, UnsubscribeUsers } from '../domain/unsubscribe-users.js';
import { decideInChannel } from './decide-in-channel.js';

@CommandHandler(UnsubscribeUsers)
export class UnsubscribeUsersHandler implements ICommandHandler<UnsubscribeUsers, readonly number[]> {
  constructor(
    private readonly runner: CommandRunner,
    private readonly readYourWrites: ReadYourWrites,
  ) {}

  /** @returns ids of the users who were subscribed before */
  async execute(command: UnsubscribeUsers): Promise<readonly number[]> {
    const { events, position } = await decideInChannel(this.runner, decideUnsubscribeUsers, command, command.by);
    const userIds = events.flatMap(({ data }) => data.userIds);
    await this.readYourWrites.waitForOrganization(position, [clientEvents]);
    if (events.length > 0) await this.readYourWrites.waitForAll(position, [readState, clientEvents]);
    return userIds;
  }
}
