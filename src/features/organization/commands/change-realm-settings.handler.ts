import { CommandBus, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Directory } from '../../../directory/directory.js';
import { groupFacts } from '../../../directory/group-facts.js';
import { deactivatedAmong } from '../../../directory/settings-naming.js';
import type { RealmSettingChanged } from '../../../events/organization/organization.events.js';
import { CHANNEL_SETTINGS, REALM_PERMISSIONS } from '../../../events/organization/realm.settings.js';
import type { GroupSettingValue } from '../../../events/shared/group-setting.js';
import { Decisions } from '../../../platform/commands/decisions.js';
import { ReturnNamedGroups } from '../../user-groups/domain/return-named-groups.js';
import { ChangeRealmSettings, decideChangeRealmSettings } from '../domain/change-realm-settings.js';
import {
  decideWithdrawAnnouncementChannel,
  WithdrawAnnouncementChannel,
} from '../domain/withdraw-announcement-channel.js';
import { actorMay, organizationStream } from './organization-stream.js';

@CommandHandler(ChangeRealmSettings)
export class ChangeRealmSettingsHandler implements ICommandHandler<ChangeRealmSettings> {
  constructor(
    private readonly directory: Directory,
    private readonly decisions: Decisions,
    private readonly commands: CommandBus,
  ) {}

  async execute(command: ChangeRealmSettings): Promise<void> {
    const { events } = await this.decisions.decide(organizationStream, decideChangeRealmSettings, command, {
      ...groupFacts(this.directory),
      mayAdminister: actorMay(command, 'administer', this.directory),
      mayOwn: actorMay(command, 'own', this.directory),
      isChannel: (id) => {
        const channel = this.directory.channel(id);
        return (
          channel !== undefined && !channel.isArchived && actorMay(command, { channel, to: 'see' }, this.directory)
        );
      },
    });
    await this.withdrawArchived(events, command);
    const given = events.flatMap(({ data }) =>
      data.setting in REALM_PERMISSIONS ? [data.to as GroupSettingValue] : [],
    );
    const gone = deactivatedAmong(given, this.directory);
    if (gone.length > 0) await this.commands.execute(new ReturnNamedGroups({ groupIds: gone, by: command.by }));
  }

  /** Checks again after the append: a channel may have been archived, and its withdrawal may have run too early. */
  private async withdrawArchived(events: readonly RealmSettingChanged[], { by }: ChangeRealmSettings): Promise<void> {
    for (const { data } of events) {
      if (!CHANNEL_SETTINGS.some((setting) => setting === data.setting) || typeof data.to !== 'number') continue;
      if (!this.directory.channel(data.to)?.isArchived) continue;
      const withdrawal = new WithdrawAnnouncementChannel(data.to, by);
      await this.decisions.decide(organizationStream, decideWithdrawAnnouncementChannel, withdrawal, undefined);
    }
  }
}
