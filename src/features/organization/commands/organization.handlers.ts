import { CommandBus, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Directory } from '../../../directory/directory.js';
import { groupFacts } from '../../../directory/group-facts.js';
import { type Action, actorOf, may } from '../../../directory/permissions.js';
import { deactivatedAmong } from '../../../directory/settings-naming.js';
import {
  ORGANIZATION_STREAM,
  type OrganizationEvent,
  type RealmSettingChanged,
} from '../../../events/organization/organization.events.js';
import { CHANNEL_SETTINGS, REALM_PERMISSIONS } from '../../../events/organization/realm.settings.js';
import type { GroupSettingValue } from '../../../events/shared/group-setting.js';
import { decidesOn, firstOf } from '../../../platform/commands/decides-on.js';
import { type CommandStream, Decisions } from '../../../platform/commands/decisions.js';
import type { CommandContext } from '../../../platform/kernel/deciding.js';
import { ReturnNamedGroups } from '../../user-groups/domain/user-groups.js';
import { ChangeRealmSettings, decideChangeRealmSettings } from '../domain/change-realm-settings.js';
import {
  AddDefaultChannel,
  type DefaultChannelFacts,
  decideAddDefaultChannel,
  decideRemoveDefaultChannel,
  decideWithdrawAnnouncementChannel,
  RemoveDefaultChannel,
  WithdrawAnnouncementChannel,
} from '../domain/default-channels.js';
import {
  AddLinkifier,
  ChangeLinkifier,
  decideAddLinkifier,
  decideChangeLinkifier,
  decideRemoveLinkifier,
  decideReorderLinkifiers,
  RemoveLinkifier,
  ReorderLinkifiers,
} from '../domain/linkifiers.js';
import {
  type Administration,
  CreateOrganization,
  decideCreateOrganization,
  decideRecordPushPermission,
  type OrganizationState,
  organization,
  RecordPushPermission,
} from '../domain/organization.js';
import { AddPlayground, decideAddPlayground, decideRemovePlayground, RemovePlayground } from '../domain/playgrounds.js';
import {
  ChangeProfileField,
  CreateProfileField,
  decideChangeProfileField,
  decideCreateProfileField,
  decideRemoveProfileField,
  decideReorderProfileFields,
  RemoveProfileField,
  ReorderProfileFields,
} from '../domain/profile-fields.js';

const organizationStream: CommandStream<OrganizationState, OrganizationEvent> = {
  stream: ORGANIZATION_STREAM,
  decider: organization,
  expects: 'existing',
};

interface Asked {
  readonly by: CommandContext;
}

/** Tells whether the actor has the permission. */
const actorMay = ({ by }: Asked, action: Action, directory: Directory): boolean =>
  may(actorOf(by, directory), action, directory);

export const administration = (command: Asked, directory: Directory): Administration => ({
  mayAdminister: actorMay(command, 'administer', directory),
});

/** Stream and facts of commands that administrators send. */
const byAdministrators = { stream: organizationStream, uses: Directory, facts: administration } as const;

export const organizationHandlers = [
  decidesOn(CreateOrganization, {
    stream: { ...organizationStream, expects: 'any' },
    decide: decideCreateOrganization,
  }),
  decidesOn(RecordPushPermission, { stream: organizationStream, decide: decideRecordPushPermission }),
  decidesOn(RemoveDefaultChannel, {
    stream: organizationStream,
    decide: decideRemoveDefaultChannel,
    uses: Directory,
    facts: ({ callerId, channelId }, directory) => {
      const caller = directory.user(callerId);
      return {
        isAdministrator: caller !== undefined && may(caller, 'administer', directory),
        channelExists: directory.channel(channelId) !== undefined,
      };
    },
  }),
  decidesOn(CreateProfileField, {
    ...byAdministrators,
    decide: decideCreateProfileField,
    answer: (events) => firstOf(events).data.field.id,
  }),
  decidesOn(ChangeProfileField, { ...byAdministrators, decide: decideChangeProfileField }),
  decidesOn(RemoveProfileField, { ...byAdministrators, decide: decideRemoveProfileField }),
  decidesOn(ReorderProfileFields, { ...byAdministrators, decide: decideReorderProfileFields }),
  decidesOn(AddLinkifier, {
    ...byAdministrators,
    decide: decideAddLinkifier,
    answer: (events) => firstOf(events).data.linkifier.id,
  }),
  decidesOn(ChangeLinkifier, { ...byAdministrators, decide: decideChangeLinkifier }),
  decidesOn(RemoveLinkifier, { ...byAdministrators, decide: decideRemoveLinkifier }),
  decidesOn(ReorderLinkifiers, { ...byAdministrators, decide: decideReorderLinkifiers }),
  decidesOn(AddPlayground, {
    ...byAdministrators,
    decide: decideAddPlayground,
    answer: (events) => firstOf(events).data.playground.id,
  }),
  decidesOn(RemovePlayground, { ...byAdministrators, decide: decideRemovePlayground }),
];

@CommandHandler(AddDefaultChannel)
export class AddDefaultChannelHandler implements ICommandHandler<AddDefaultChannel> {
  constructor(
    private readonly directory: Directory,
    private readonly decisions: Decisions,
  ) {}

  async execute(command: AddDefaultChannel): Promise<void> {
    const facts = this.facts(command);
    const { events } = await this.decisions.decide(organizationStream, decideAddDefaultChannel, command, facts);
    if (events.length > 0) await this.takeBackIfPrivateMeanwhile(command);
  }

  private facts({ channelId, callerId }: AddDefaultChannel): DefaultChannelFacts {
    const caller = this.directory.user(callerId);
    const channel = this.directory.channel(channelId);
    return {
      isAdministrator: caller !== undefined && may(caller, 'administer', this.directory),
      channel: channel && !channel.isArchived ? { isPrivate: channel.inviteOnly } : null,
    };
  }

  /** Checks again after the append: the channel may have become private, and its withdrawal may have run too early. */
  private async takeBackIfPrivateMeanwhile(command: AddDefaultChannel): Promise<void> {
    const { channel } = this.facts(command);
    if (channel && !channel.isPrivate) return;
    const facts = { isAdministrator: true, channelExists: true };
    await this.decisions.decide(organizationStream, decideRemoveDefaultChannel, command, facts);
  }
}

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
