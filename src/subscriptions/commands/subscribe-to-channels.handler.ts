import { CommandBus, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { creationFacts } from '../../channels/commands/creation-facts.js';
import { CreateChannel, requireCreatable } from '../../channels/domain/create-channel.js';
import { Directory } from '../../directory/directory.js';
import type { ChannelRecord, UserRecord } from '../../directory/directory.records.js';
import { may } from '../../directory/permissions.js';
import { DomainError, refuse } from '../../kernel/domain-error.js';
import { planSubscriptions, SubscribeToChannels } from '../domain/subscribe-to-channels.js';
import { SubscribeUsers } from '../domain/subscribe-users.js';

/** Channel names by user id. */
export type ChannelNamesByUser = Readonly<Record<string, readonly string[]>>;

export interface SubscribeResult {
  readonly subscribed: ChannelNamesByUser;
  readonly already_subscribed: ChannelNamesByUser;
  readonly unauthorized?: readonly string[];
}

@CommandHandler(SubscribeToChannels)
export class SubscribeToChannelsHandler implements ICommandHandler<SubscribeToChannels, SubscribeResult> {
  constructor(
    private readonly directory: Directory,
    private readonly commands: CommandBus,
  ) {}

  async execute(command: SubscribeToChannels): Promise<SubscribeResult> {
    const { request, callerId, by } = command;
    const caller = this.directory.user(callerId) ?? refuse('USER_NOT_FOUND');
    const plan = planSubscriptions(command, {
      callerRole: caller.role,
      principals: (request.principals ?? []).map((named) => this.principal(named)),
      channel: (name) => {
        const channel = this.directory.channelByName(name);
        return channel ? { id: channel._id, mayJoin: this.mayJoin(caller, channel) } : null;
      },
    });

    const { inviteOnly, historyPublicToSubscribers } = request;
    const facts = creationFacts(caller, { inviteOnly }, this.directory);
    for (const channel of plan.toCreate)
      requireCreatable({ ...channel, inviteOnly, historyPublicToSubscribers }, facts);

    const subscribed = new Map<number, string[]>();
    const already = new Map<number, string[]>();
    const note = (name: string, joined: readonly number[]): void => {
      for (const userId of plan.userIds) {
        const names = joined.includes(userId) ? subscribed : already;
        names.set(userId, [...(names.get(userId) ?? []), name]);
      }
    };
    for (const { id } of plan.existing) note(this.nameOf(id), await this.subscribe(id, plan.userIds, by));
    for (const { name, description } of plan.toCreate) {
      const channel = {
        name,
        description,
        inviteOnly,
        historyPublicToSubscribers,
        subscriberIds: plan.userIds,
      };
      try {
        const id = await this.commands.execute<CreateChannel, number>(new CreateChannel(channel, callerId, by));
        note(this.nameOf(id), plan.userIds);
      } catch (error) {
        if (!(error instanceof DomainError && error.code === 'CHANNEL_ALREADY_EXISTS')) throw error;
        // Somebody else has created it since the plan was made.
        const created = this.directory.channelByName(name);
        if (!created || !this.mayJoin(caller, created)) refuse('CHANNEL_OUT_OF_REACH', { name });
        note(created.name, await this.subscribe(created._id, plan.userIds, by));
      }
    }
    return {
      subscribed: Object.fromEntries(subscribed),
      already_subscribed: Object.fromEntries(already),
      ...(request.authorizationErrorsFatal ? {} : { unauthorized: plan.unauthorized }),
    };
  }

  private subscribe(
    channelId: number,
    userIds: readonly number[],
    by: SubscribeToChannels['by'],
  ): Promise<readonly number[]> {
    return this.commands.execute<SubscribeUsers, readonly number[]>(new SubscribeUsers(channelId, userIds, by));
  }

  private principal(named: number | string): { id: number; isActive: boolean } | null {
    const user = typeof named === 'number' ? this.directory.user(named) : this.directory.userByEmail(named);
    return user ? { id: user._id, isActive: user.isActive } : null;
  }

  private mayJoin(caller: UserRecord, channel: ChannelRecord): boolean {
    return may(caller, { channel, to: 'join' }, this.directory);
  }

  private nameOf(channelId: number): string {
    return this.directory.channel(channelId)?.name ?? '';
  }
}
