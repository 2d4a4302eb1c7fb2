import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Directory } from '../../../directory/directory.js';
import type { UserRecord } from '../../../directory/directory.records.js';
import { may } from '../../../directory/permissions.js';
import type { SubscriptionEvent, UsersUnsubscribed } from '../../../events/channels/subscriptions.events.js';
import { CommandRunner } from '../../../platform/commands/command-runner.js';
import { decidesOn } from '../../../platform/commands/decides-on.js';
import { MultiStreamCommand } from '../../../platform/commands/multi-stream-command.js';
import { ReadYourWrites } from '../../../platform/commands/read-your-writes.js';
import { START } from '../../../platform/kernel/position.js';
import {
  ChangeSettingsInChannel,
  ChangeSubscriptionSettings,
  decideChangeSettings,
  planSettingChanges,
  type SubscriptionStatus,
} from '../domain/change-subscription-settings.js';
import type { ChannelOptions } from '../domain/channel-options.js';
import { type ChannelNamesByUser, SubscribeToChannels } from '../domain/subscribe-to-channels.js';
import {
  decideUnsubscribeUsers,
  requireSomeChange,
  UnsubscribeUsers,
  UpdateSubscriptions,
  type UpdateSubscriptionsResult,
} from '../domain/subscribe-users.js';
import {
  planUnsubscriptions,
  UnsubscribeFromChannels,
  type UnsubscribePlan,
  type UnsubscribeResult,
} from '../domain/unsubscribe-from-channels.js';
import { subscriptionsIn } from './channels.handlers.js';
import { findPrincipals, SubscribeToChannelsHandler } from './subscribe-to-channels.handler.js';

export const subscriptionHandlers = [
  decidesOn(UnsubscribeUsers, {
    stream: subscriptionsIn,
    decide: decideUnsubscribeUsers,
    // Ids of the users who were subscribed before.
    answer: (events) => events.flatMap(({ data }) => data.userIds),
  }),
];

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
    const user = this.directory.existingUser(userId);
    const channel = this.directory.channel(channelId);
    if (!channel || !may(user, { channel, to: 'see' }, this.directory)) return 'hidden';
    return this.directory.isSubscribed(userId, channelId) ? 'subscribed' : 'not subscribed';
  }
}

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
    const caller = this.directory.existingUser(command.callerId);
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

/** Options of the channels that the request creates. */
const USUAL: ChannelOptions = { inviteOnly: false, historyPublicToSubscribers: null };

@CommandHandler(UpdateSubscriptions)
export class UpdateSubscriptionsHandler implements ICommandHandler<UpdateSubscriptions> {
  constructor(
    private readonly directory: Directory,
    private readonly joining: SubscribeToChannelsHandler,
    private readonly leaving: UnsubscribeFromChannelsHandler,
  ) {}

  async execute(command: UpdateSubscriptions): Promise<UpdateSubscriptionsResult> {
    requireSomeChange(command);
    const { add, remove, callerId, by } = command;
    const request = { channels: add, principals: null, authorizationErrorsFatal: true, options: USUAL };
    const join = add.length > 0 ? new SubscribeToChannels({ request, callerId, by }) : null;
    const leave = new UnsubscribeFromChannels({ channelNames: remove, principals: null, callerId, by });
    if (join) await this.joining.plan(join);
    this.leaving.plan(leave);

    const parts = new MultiStreamCommand();
    const joined =
      join &&
      (await parts.do(
        () => this.joining.execute(join),
        () => true,
      ));
    const left = await parts.do(
      () => this.leaving.execute(leave),
      ({ removed }) => removed.length > 0,
    );
    return {
      subscribed: this.byAddress(joined?.subscribed),
      already_subscribed: this.byAddress(joined?.already_subscribed),
      ...left,
    };
  }

  /** This endpoint answers with addresses, where `POST` answers with ids. */
  private byAddress(byId: ChannelNamesByUser = {}): ChannelNamesByUser {
    const entries = Object.entries(byId).map(([id, names]) => [this.directory.user(Number(id))?.email ?? id, names]);
    return Object.fromEntries(entries);
  }
}
