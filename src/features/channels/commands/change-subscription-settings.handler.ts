import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Directory } from '../../../directory/directory.js';
import { may } from '../../../directory/permissions.js';
import type { SubscriptionEvent } from '../../../events/channels/subscriptions.events.js';
import { CommandRunner } from '../../../platform/commands/command-runner.js';
import { MultiStreamCommand } from '../../../platform/commands/multi-stream-command.js';
import { ReadYourWrites } from '../../../platform/commands/read-your-writes.js';
import { refuse } from '../../../platform/kernel/deciding.js';
import { START } from '../../../platform/kernel/position.js';
import {
  ChangeSettingsInChannel,
  ChangeSubscriptionSettings,
  decideChangeSettings,
  planSettingChanges,
  type SubscriptionStatus,
} from '../domain/change-subscription-settings.js';
import { subscriptionsIn } from './channel-streams.js';

@CommandHandler(ChangeSubscriptionSettings)
export class ChangeSubscriptionSettingsHandler implements ICommandHandler<ChangeSubscriptionSettings> {
  constructor(
    private readonly directory: Directory,
    private readonly runner: CommandRunner,
    private readonly readYourWrites: ReadYourWrites,
  ) {}

  async execute(command: ChangeSubscriptionSettings): Promise<void> {
    const { userId, by } = command;
    const planned = planSettingChanges(command, (channelId) => this.statusIn(channelId, userId));
    const parts = new MultiStreamCommand();
    const appended: SubscriptionEvent[] = [];
    let last = START;
    for (const [channelId, changes] of planned) {
      const part = new ChangeSettingsInChannel(channelId, userId, changes);
      const { events, position } = await parts.do(
        () =>
          this.runner.decide({
            ...subscriptionsIn(part),
            decide: decideChangeSettings,
            command: part,
            context: undefined,
            by: by,
          }),
        (outcome) => outcome.events.length > 0,
      );
      appended.push(...events);
      last = Math.max(last, position);
    }
    await this.readYourWrites.waitFor(last, appended);
  }

  private statusIn(channelId: number, userId: number): SubscriptionStatus {
    const user = this.directory.user(userId) ?? refuse('USER_NOT_FOUND');
    const channel = this.directory.channel(channelId);
    if (!channel || !may(user, { channel, to: 'see' }, this.directory)) return 'hidden';
    return this.directory.isSubscribed(userId, channelId) ? 'subscribed' : 'not subscribed';
  }
}
