import { CommandBus, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Directory } from '../../../directory/directory.js';
import type { UserRecord } from '../../../directory/directory.records.js';
import { may } from '../../../directory/permissions.js';
import type { SubscriptionEvent } from '../../../events/channels/subscriptions.events.js';
import { CommandRunner } from '../../../platform/commands/command-runner.js';
import { MultiStreamCommand } from '../../../platform/commands/multi-stream-command.js';
import { ReadYourWrites } from '../../../platform/commands/read-your-writes.js';
import { DomainError, type RefusalCode, refuse } from '../../../platform/kernel/deciding.js';
import { type Position, START } from '../../../platform/kernel/position.js';
import type { ChannelOptions } from '../domain/channel-options.js';
import { CreateChannel, requireCreatable } from '../domain/create-channel.js';
import {
  type ChannelInReach,
  type ChannelNamesByUser,
  objectionTo,
  planSubscriptions,
  type SubscribeResult,
  SubscribeToChannels,
  type SubscriptionPlan,
  type WantedChannel,
} from '../domain/subscribe-to-channels.js';
import { decideSubscribeUsers, joinedBy, SubscribeUsers } from '../domain/subscribe-users.js';
import { channelsStream, creationFacts, subscriptionsIn } from './channels.handlers.js';

/** The accounts of ids or addresses, in their order; null: no such account. */
export const findPrincipals = (
  named: readonly (number | string)[] | null,
  directory: Directory,
): readonly (UserRecord | null)[] =>
  (named ?? []).map((name) => (typeof name === 'number' ? directory.user(name) : directory.userByEmail(name)) ?? null);

/** The outcome for one channel of a request. */
interface Part {
  readonly name: string;
  readonly joined: readonly number[];
  readonly hasStored: boolean;
  /** Events that the answer has yet to wait for. */
  readonly events: readonly SubscriptionEvent[];
  /** null: the caller may not join the channel after all. */
  readonly position: Position | null;
}

@CommandHandler(SubscribeToChannels)
export class SubscribeToChannelsHandler implements ICommandHandler<SubscribeToChannels<ChannelOptions>> {
  constructor(
    private readonly directory: Directory,
    private readonly commands: CommandBus,
    private readonly runner: CommandRunner,
    private readonly readYourWrites: ReadYourWrites,
  ) {}

  async execute(command: SubscribeToChannels<ChannelOptions>): Promise<SubscribeResult> {
    const { userIds, existing, toCreate, unauthorized } = await this.plan(command);
    const request = new MultiStreamCommand();
    const done: Part[] = [];
    const carryOut = async (part: () => Promise<Part>): Promise<void> => {
      done.push(await request.do(part, ({ hasStored }) => hasStored));
    };
    // New channels come first: creating one can still be refused, and then nothing is stored.
    for (const channel of toCreate) await carryOut(() => this.create(channel, userIds, command));
    for (const { id, color } of existing) await carryOut(() => this.subscribe(id, userIds, color, command));
    const appended = done.flatMap(({ events }) => events);
    await this.readYourWrites.waitFor(newestOf(done), appended);

    const late = done.filter(({ position }) => position === null).map(({ name }) => name);
    const reached = done.filter(({ position }) => position !== null);
    return {
      subscribed: namesByUser(reached, userIds, ({ joined }, userId) => joined.includes(userId)),
      already_subscribed: namesByUser(reached, userIds, ({ joined }, userId) => !joined.includes(userId)),
      ...(command.request.authorizationErrorsFatal ? {} : { unauthorized: [...unauthorized, ...late] }),
    };
  }

  /** Refuses the request, or plans it, before anything is written. */
  async plan(command: SubscribeToChannels<ChannelOptions>): Promise<SubscriptionPlan> {
    try {
      const plan = this.planNow(command);
      if (plan.unauthorized.length === 0) return plan;
    } catch (error) {
      if (!isRefusal(error, 'CHANNEL_OUT_OF_REACH') && !isRefusal(error, 'NOT_AUTHORIZED')) throw error;
    }
    // A channel created just now may lack its first subscribers, and the caller may be one of them.
    await this.waitForEveryChannel(command);
    return this.planNow(command);
  }

  private planNow(command: SubscribeToChannels<ChannelOptions>): SubscriptionPlan {
    const { principals, options } = command.request;
    const facts = creationFacts(this.directory.user(command.callerId), options, this.directory);
    const plan = planSubscriptions(command, {
      principals: findPrincipals(principals, this.directory).map(
        (user) => user && { id: user._id, isActive: user.isActive },
      ),
      channel: (name) => {
        const channel = this.channel(name, command.callerId);
        // A caller who may not create channels does not learn that a hidden channel has this name.
        return channel?.isInSight || facts.mayCreate ? channel : null;
      },
    });
    for (const channel of plan.toCreate) requireCreatable({ ...channel, ...options }, facts);
    return plan;
  }

  private async create(
    { name, description, color }: WantedChannel,
    userIds: readonly number[],
    command: SubscribeToChannels<ChannelOptions>,
  ): Promise<Part> {
    const channel = { ...command.request.options, name, description, subscriberIds: userIds };
    try {
      const id = await this.commands.execute(
        new CreateChannel({ channel, creatorId: command.callerId, by: command.by }),
      );
      if (color === null)
        return { name: this.nameOf(id), joined: userIds, hasStored: true, events: [], position: START };
      return { ...(await this.subscribe(id, userIds, color, command)), joined: userIds, hasStored: true };
    } catch (error) {
      if (!isRefusal(error, 'CHANNEL_ALREADY_EXISTS')) throw error;
      return this.subscribeToNew(name, userIds, color, command);
    }
  }

  /** Subscribes to a channel that somebody else has created since the plan was made. */
  private async subscribeToNew(
    name: string,
    userIds: readonly number[],
    color: string | null,
    command: SubscribeToChannels<ChannelOptions>,
  ): Promise<Part> {
    await this.waitForEveryChannel(command);
    const created = this.channel(name, command.callerId);
    const objection = created ? objectionTo(created, userIds, command.callerId) : 'CHANNEL_OUT_OF_REACH';
    if (created && !objection) return this.subscribe(created.id, userIds, color, command);
    if (objection && command.request.authorizationErrorsFatal) refuse(objection, { name });
    return { name, joined: [], hasStored: false, events: [], position: null };
  }

  private async subscribe(
    channelId: number,
    userIds: readonly number[],
    color: string | null,
    { by }: SubscribeToChannels<ChannelOptions>,
  ): Promise<Part> {
    const name = this.nameOf(channelId);
    const part = new SubscribeUsers({ channelId, userIds, by, color });
    const { events, position } = await this.runner.decide({
      ...subscriptionsIn(part),
      decide: decideSubscribeUsers,
      command: part,
      context: undefined,
      by: by,
    });
    return { name, joined: joinedBy(events), hasStored: events.length > 0, events, position };
  }

  /** Resolves when this process's directory has every channel of the log, with its first subscribers. */
  private async waitForEveryChannel({ by }: SubscribeToChannels<ChannelOptions>): Promise<void> {
    const { position } = await this.runner.decide({
      ...channelsStream,
      decide: () => [],
      command: undefined,
      context: undefined,
      by,
    });
    await this.readYourWrites.waitFor(position, []);
  }

  private channel(name: string, callerId: number): (ChannelInReach & { readonly isInSight: boolean }) | null {
    const channel = this.directory.channelByName(name);
    const caller = this.directory.user(callerId);
    if (!channel || !caller) return null;
    return {
      id: channel._id,
      isInSight: may(caller, { channel, to: 'see' }, this.directory),
      mayJoin:
        this.directory.isSubscribed(callerId, channel._id) || may(caller, { channel, to: 'join' }, this.directory),
      mayAddOthers: may(caller, { channel, to: 'add subscribers' }, this.directory),
    };
  }

  private nameOf(channelId: number): string {
    return this.directory.channel(channelId)?.name ?? '';
  }
}

const isRefusal = (error: unknown, code: RefusalCode): boolean => error instanceof DomainError && error.code === code;

const newestOf = (parts: readonly Part[]): Position =>
  Math.max(START, ...parts.map(({ position }) => position ?? START));

function namesByUser(
  parts: readonly Part[],
  userIds: readonly number[],
  isOf: (part: Part, userId: number) => boolean,
): ChannelNamesByUser {
  const lists = userIds.map((userId) => {
    const names = parts.filter((part) => isOf(part, userId)).map(({ name }) => name);
    return [String(userId), names] as const;
  });
  return Object.fromEntries(lists.filter(([, names]) => names.length > 0));
}
