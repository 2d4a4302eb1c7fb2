import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CommandRunner } from '../../../platform/commands/command-runner.js';
import { ReadYourWrites } from '../../../platform/commands/read-your-writes.js';
import { decideUnsubscribeUsers, UnsubscribeUsers } from '../domain/unsubscribe-users.js';
import { subscriptionsIn } from './channel-streams.js';

@CommandHandler(UnsubscribeUsers)
export class UnsubscribeUsersHandler implements ICommandHandler<UnsubscribeUsers> {
  constructor(
    private readonly runner: CommandRunner,
    private readonly readYourWrites: ReadYourWrites,
  ) {}

  /** @returns ids of the users who were subscribed before */
  async execute(command: UnsubscribeUsers): Promise<readonly number[]> {
    const { events, position } = await this.runner.decide({
      ...subscriptionsIn(command),
      decide: decideUnsubscribeUsers,
      command: command,
      context: undefined,
      by: command.by,
    });
    await this.readYourWrites.waitFor(position, events);
    return events.flatMap(({ data }) => data.userIds);
  }
}
