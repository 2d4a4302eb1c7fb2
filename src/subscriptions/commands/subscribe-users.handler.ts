import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { clientEvents } from '../../../projections/client-events.projection.js';
import { CommandRunner } from '../../command-runner/command-runner.js';
import { ReadYourWrites } from '../../command-runner/read-your-writes.js';
import { decideSubscribeUsers, joinedBy, SubscribeUsers } from '../domain/subscribe-users.js';
import { decideInChannel } from './decide-in-channel.js';

@CommandHandler(SubscribeUsers)
export class SubscribeUsersHandler implements ICommandHandler<SubscribeUsers, readonly number[]> {
  constructor(
    private readonly runner: CommandRunner,
    private readonly readYourWrites: ReadYourWrites,
  ) {}

  /** @returns ids of the users who were not subscribed before */
  async execute(command: SubscribeUsers): Promise<readonly number[]> {
    const { events, position } = await decideInChannel(this.runner, decideSubscribeUsers, command, command.by);
    await this.readYourWrites.waitForOrganization(position, [clientEvents]);
    return joinedBy(events);
  }
}
