import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { clientEvents } from '../../../projections/client-events.projection.js';
import { CommandRunner } from '../../command-runner/command-runner.js';
import { ReadYourWrites } from '../../command-runner/read-your-writes.js';
import { decideSubscribeUsers, SubscribeUsers } from '../domain/subscribe-users.js';
import { subscriptionsStream } from '../domain/subscriptions.events.js';
import { subscriptions } from '../domain/subscriptions.state.js';

@CommandHandler(SubscribeUsers)
export class SubscribeUsersHandler implements ICommandHandler<SubscribeUsers, readonly number[]> {
  constructor(
    private readonly runner: CommandRunner,
    private readonly readYourWrites: ReadYourWrites,
  ) {}

  /** @returns ids of the users who were not subscribed before */
  async execute(command: SubscribeUsers): Promise<readonly number[]> {
    const { events, position } = await this.runner.decide({
      stream: subscriptionsStream(command.channelId),
      decider: subscriptions,
      decide: decideSubscribeUsers,
      command,
      context: undefined,
      by: command.by,
    });
    await this.readYourWrites.waitForOrganization(position, [clientEvents]);
    return events.flatMap((event) => event.data.userIds);
  }
}
