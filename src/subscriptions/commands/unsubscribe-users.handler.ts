import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { clientEvents } from '../../../projections/client-events.projection.js';
import { CommandRunner } from '../../command-runner/command-runner.js';
import { ReadYourWrites } from '../../command-runner/read-your-writes.js';
import { subscriptionsStream } from '../domain/subscriptions.events.js';
import { subscriptions } from '../domain/subscriptions.state.js';
import { decideUnsubscribeUsers, UnsubscribeUsers } from '../domain/unsubscribe-users.js';

@CommandHandler(UnsubscribeUsers)
export class UnsubscribeUsersHandler implements ICommandHandler<UnsubscribeUsers, readonly number[]> {
  constructor(
    private readonly runner: CommandRunner,
    private readonly readYourWrites: ReadYourWrites,
  ) {}

  /** @returns ids of the users who were subscribed before */
  async execute(command: UnsubscribeUsers): Promise<readonly number[]> {
    const { events, position } = await this.runner.decide({
      stream: subscriptionsStream(command.channelId),
      decider: subscriptions,
      decide: decideUnsubscribeUsers,
      command,
      context: undefined,
      by: command.by,
    });
    await this.readYourWrites.waitForOrganization(position, [clientEvents]);
    return events.flatMap((event) => event.data.userIds);
  }
}
