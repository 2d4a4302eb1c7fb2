import { CommandBus, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Directory } from '../../../directory/directory.js';
import type { UserRecord } from '../../../directory/directory.records.js';
import { Facts } from '../../../directory/facts.js';
import { groupFacts } from '../../../directory/group-facts.js';
import { type Action, type ChannelAction, may } from '../../../directory/permissions.js';
import { deactivatedAmong } from '../../../directory/settings-naming.js';
import { CHANNELS_STREAM } from '../../../events/channels/channels.events.js';
import { type SubscriptionEvent, subscriptionsStream } from '../../../events/channels/subscriptions.events.js';
import { decidesOn } from '../../../platform/commands/decides-on.js';
import { type CommandStream, Decisions } from '../../../platform/commands/decisions.js';
import type { CommandContext } from '../../../platform/kernel/deciding.js';
import { renderMarkdown } from '../../markdown/render-markdown.js';
import { AddDefaultChannel, RemoveDefaultChannel } from '../../organization/domain/default-channels.js';
import { ReturnNamedGroups } from '../../user-groups/domain/user-groups.js';
import type { ChannelCreationFacts, ChannelOptions } from '../domain/channel-options.js';
import { type ChannelsEvent, type ChannelsState, channels } from '../domain/channels.state.js';
import { CreateChannel, decideCreateChannel } from '../domain/create-channel.js';
import { decideSubscribeUsers, joinedBy, SubscribeUsers } from '../domain/subscribe-users.js';
import { type SubscriptionsState, subscriptions } from '../domain/subscriptions.state.js';
import {
  ArchiveChannel,
  decideArchiveChannel,
  decideUpdateChannel,
  UpdateChannel,
  type UpdateChannelFacts,
} from '../domain/update-channel.js';
import { hasTopics } from '../queries/channels.queries.js';

export const channelsStream: CommandStream<ChannelsState, ChannelsEvent> = {
  stream: CHANNELS_STREAM,
  decider: channels,
  expects: 'any',
};

/** The subscriptions of one channel. */
export const subscriptionsIn = ({
  channelId,
}: {
  readonly channelId: number;
}): CommandStream<SubscriptionsState, SubscriptionEvent> => ({
  stream: subscriptionsStream(channelId),
  decider: subscriptions,
  expects: 'any',
});

/** The creator's permissions for a new channel. @param creator undefined: no account has the id */
export function creationFacts(
  creator: UserRecord | undefined,
  { inviteOnly }: Pick<ChannelOptions, 'inviteOnly'>,
  directory: Directory,
): ChannelCreationFacts {
  const permission = inviteOnly ? 'can_create_private_channel_group' : 'can_create_public_channel_group';
  return {
    mayCreate: creator !== undefined && may(creator, permission, directory),
    mayMakeDefault: creator !== undefined && may(creator, 'administer', directory),
    maySetRetention: creator !== undefined && may(creator, 'own', directory),
    maySetTopicsPolicy: creator !== undefined && may(creator, 'can_set_topics_policy_group', directory),
    maySetDeletePolicy: creator !== undefined && may(creator, 'can_set_delete_message_policy_group', directory),
    groups: groupFacts(directory),
  };
}

interface Administration {
  readonly channelId: number;
  readonly by: CommandContext;
}

/** The actor's permissions in the channel; none if it does not exist. */
function administrationFacts(
  { channelId, by }: Administration,
  directory: Directory,
): Pick<UpdateChannelFacts, 'maySee' | 'mayRead' | 'mayAdminister'> {
  const actor = by.actorId === null ? null : directory.user(by.actorId);
  const channel = directory.channel(channelId);
  const mayHere = (to: ChannelAction): boolean =>
    channel !== undefined && actor !== undefined && may(actor, { channel, to }, directory);
  return { maySee: mayHere('see'), mayRead: mayHere('read'), mayAdminister: mayHere('administer') };
}

function updateFacts(administration: Administration, directory: Directory): Omit<UpdateChannelFacts, 'hasTopics'> {
  const { channelId, by } = administration;
  const actor = by.actorId === null ? null : directory.user(by.actorId);
  const mayEverywhere = (action: Action): boolean => actor !== undefined && may(actor, action, directory);
  return {
    ...administrationFacts(administration, directory),
    mayCreatePublic: mayEverywhere('can_create_public_channel_group'),
    mayCreatePrivate: mayEverywhere('can_create_private_channel_group'),
    mayMakeDefault: mayEverywhere('administer'),
    maySetRetention: mayEverywhere('own'),
    maySetTopicsPolicy: mayEverywhere('can_set_topics_policy_group'),
    maySetDeletePolicy: mayEverywhere('can_set_delete_message_policy_group'),
    isDefault: directory.organization?.defaultChannelIds.includes(channelId) ?? false,
    takesReports: directory.setting('moderation_request_channel_id') === channelId,
    hasSubscribers: directory.subscriberIds(channelId).length > 0,
    groups: groupFacts(directory),
    render: renderMarkdown,
  };
}

export const channelHandlers = [
  decidesOn(ArchiveChannel, {
    stream: channelsStream,
    decide: decideArchiveChannel,
    uses: Directory,
    facts: administrationFacts,
  }),
  decidesOn(SubscribeUsers, { stream: subscriptionsIn, decide: decideSubscribeUsers, answer: joinedBy }),
];

@CommandHandler(CreateChannel)
export class CreateChannelHandler implements ICommandHandler<CreateChannel> {
  constructor(
    private readonly directory: Directory,
    private readonly decisions: Decisions,
    private readonly commands: CommandBus,
  ) {}

  /** @returns the new channel's id, when its first subscribers are subscribed */
  async execute(command: CreateChannel): Promise<number> {
    const { events } = await this.decisions.decide(channelsStream, decideCreateChannel, command, {
      ...creationFacts(this.directory.user(command.creatorId), command.channel, this.directory),
      account: (id) => this.account(id),
      render: renderMarkdown,
    });
    const [created] = events;
    if (!created) throw new Error('a channel was neither created nor refused');
    const deactivated = deactivatedAmong(Object.values(created.data.permissions), this.directory);
    if (deactivated.length > 0)
      await this.commands.execute(new ReturnNamedGroups({ groupIds: deactivated, by: command.by }));
    return created.data.channelId;
  }

  private account(userId: number): 'active' | 'deactivated' | 'unknown' {
    const user = this.directory.user(userId);
    if (!user) return 'unknown';
    return user.isActive ? 'active' : 'deactivated';
  }
}

@CommandHandler(UpdateChannel)
export class UpdateChannelHandler implements ICommandHandler<UpdateChannel> {
  constructor(
    private readonly facts: Facts,
    private readonly decisions: Decisions,
    private readonly commands: CommandBus,
  ) {}

  async execute(command: UpdateChannel): Promise<void> {
    const { channelId, changes, by } = command;
    const asksForTopics = changes.topicsPolicy === 'empty_topic_only';
    const context = {
      ...updateFacts(command, this.facts.directory),
      hasTopics: asksForTopics && (await hasTopics(channelId, this.facts.readModels)),
    };
    const { events } = await this.decisions.decide(channelsStream, decideUpdateChannel, command, context);
    const given = events.flatMap((event) => (event.type === 'ChannelPermissionChanged' ? [event.data.to] : []));
    const deactivated = deactivatedAmong(given, this.facts.directory);
    if (deactivated.length > 0) await this.commands.execute(new ReturnNamedGroups({ groupIds: deactivated, by }));

    // Default channels are in another stream; the decision above has already checked this change.
    const { isDefault } = changes;
    if (isDefault === undefined || by.actorId === null) return;

    await this.commands.execute(
      isDefault
        ? new AddDefaultChannel({ channelId, callerId: by.actorId, by })
        : new RemoveDefaultChannel({ channelId, callerId: by.actorId, by }),
    );
  }
}
