import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { clientEvents } from '../../../projections/client-events.projection.js';
import { CommandRunner } from '../../command-runner/command-runner.js';
import { PartByPart } from '../../command-runner/part-by-part.js';
import { ReadYourWrites } from '../../command-runner/read-your-writes.js';
import { Directory } from '../../directory/directory.js';
import { may } from '../../directory/permissions.js';
import { refuse } from '../../kernel/domain-error.js';
import { START } from '../../kernel/position.js';
import {
  ChangeSettingsInChannel,
  ChangeSubscriptionSettings,
  decideChangeSettings,
  planSettingChanges,
  type SubscriptionStatus,
} from '../domain/change-subscription-settings.js';
import { decideInChannel } from './decide-in-channel.js';

@CommandHandler(ChangeSubscriptionSettings)
export class ChangeSubscriptionSettingsHandler implements ICommandHandler<ChangeSubscriptionSettings, void> {
  constructor(
    private readonly directory: Directory,
    private readonly runner: CommandRunner,
    private readonly readYourWrites: ReadYourWrites,
  ) {}

  async execute(command: ChangeSubscriptionSettings): Promise<void> {
    const { userId, by } = command;
    const planned = planSettingChanges(command, (channelId) => this.statusIn(channelId, userId));
    const parts = new PartByPart();
    let last = START;
    for (const [channelId, changes] of planned) {
      const part = new ChangeSettingsInChannel(channelId, userId, changes);
      const { position } = await parts.do(
        () => decideInChannel(this.runner, decideChangeSettings, part, by),
        ({ events }) => events.length > 0,
      );
      last = Math.max(last, position);
    }
    await this.readYourWrites.waitForOrganization(last, [clientEvents]);
  }

  private statusIn(channelId: number, userId: number): SubscriptionStatus {
    const user = this.directory.user(userId) ?? refuse('USER_NOT_FOUND');
    const channel = this.directory.channel(channelId);
    if (!channel || !may(user, { channel, to: 'see' }, this.directory)) return 'hidden';
    return this.directory.isSubscribed(userId, channelId) ? 'subscribed' : 'not subscribed';
  }
}
