import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Directory } from '../../../directory/directory.js';
import type { UserRecord } from '../../../directory/directory.records.js';
import { may } from '../../../directory/permissions.js';
import type { UsersUnsubscribed } from '../../../events/channels/subscriptions.events.js';
import { CommandRunner } from '../../../platform/commands/command-runner.js';
import { MultiStreamCommand } from '../../../platform/commands/multi-stream-command.js';
import { ReadYourWrites } from '../../../platform/commands/read-your-writes.js';
import { refuse } from '../../../platform/kernel/deciding.js';
import { START } from '../../../platform/kernel/position.js';
import {
  planUnsubscriptions,
  UnsubscribeFromChannels,
  type UnsubscribePlan,
  type UnsubscribeResult,
} from '../domain/unsubscribe-from-channels.js';
import { decideUnsubscribeUsers, UnsubscribeUsers } from '../domain/unsubscribe-users.js';
import { subscriptionsIn } from './channel-streams.js';
import { findPrincipals } from './find-principals.js';

@CommandHandler(UnsubscribeFromChannels)
export class UnsubscribeFromChannelsHandler implements ICommandHandler<UnsubscribeFromChannels> {
  constructor(
    private readonly directory: Directory,
    private readonly runner: CommandRunner,
    private readonly readYourWrites: ReadYourWrites,
  ) {}

  async execute(command: UnsubscribeFromChannels): Promise<UnsubscribeResult> {
    const { userIds, channelIds } = this.plan(command);
    const names = channelIds.map((channelId) => this.directory.channel(channelId)?.name ?? '');
    const removed: string[] = [];
    const notRemoved: string[] = [];
    const parts = new MultiStreamCommand();
    const appended: UsersUnsubscribed[] = [];
    let last = START;
    for (const [index, channelId] of channelIds.entries()) {
      const part = new UnsubscribeUsers({ channelId, userIds, by: command.by });
      const { events, position } = await parts.do(
        () =>
          this.runner.decide({
            ...subscriptionsIn(part),
            decide: decideUnsubscribeUsers,
            command: part,
            context: undefined,
            by: command.by,
          }),
        (outcome) => outcome.events.length > 0,
      );
      appended.push(...events);
      last = Math.max(last, position);
      const left = events.flatMap(({ data }) => data.userIds);
      if (left.length > 0) removed.push(names[index] ?? '');
      if (left.length < userIds.length) notRemoved.push(names[index] ?? '');
    }
    await this.readYourWrites.waitFor(last, appended);
    return { removed, not_removed: notRemoved };
  }

  /** Refuses the request, or plans it, before anything is written. */
  plan(command: UnsubscribeFromChannels): UnsubscribePlan {
    const caller = this.directory.user(command.callerId) ?? refuse('USER_NOT_FOUND');
    return planUnsubscriptions(command, {
      principals: findPrincipals(command.principals, this.directory).map((user) =>
        user ? { id: user._id, isActive: user.isActive, isOwn: isOwn(user, caller) } : null,
      ),
      channel: (name) => {
        const channel = this.directory.channelByName(name);
        if (!channel || !may(caller, { channel, to: 'see' }, this.directory)) return null;
        return { id: channel._id, mayRemoveOthers: may(caller, { channel, to: 'remove subscribers' }, this.directory) };
      },
    });
  }
}

const isOwn = (user: UserRecord, caller: UserRecord): boolean =>
  user._id === caller._id || user.bot?.ownerId === caller._id;
