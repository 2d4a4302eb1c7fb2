import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { ChannelOptions } from '../../channels/domain/channel-options.js';
import { PartByPart } from '../../command-runner/part-by-part.js';
import { Directory } from '../../directory/directory.js';
import { SubscribeToChannels } from '../domain/subscribe-to-channels.js';
import { UnsubscribeFromChannels } from '../domain/unsubscribe-from-channels.js';
import { requireSomeChange, UpdateSubscriptions } from '../domain/update-subscriptions.js';
import { type ChannelNamesByUser, SubscribeToChannelsHandler } from './subscribe-to-channels.handler.js';
import { UnsubscribeFromChannelsHandler } from './unsubscribe-from-channels.handler.js';

export interface UpdateSubscriptionsResult {
  readonly subscribed: ChannelNamesByUser;
  readonly already_subscribed: ChannelNamesByUser;
  readonly removed: readonly string[];
  readonly not_removed: readonly string[];
}

/** New channels of this request are the usual ones. */
const USUAL: ChannelOptions = { inviteOnly: false, historyPublicToSubscribers: null };

@CommandHandler(UpdateSubscriptions)
export class UpdateSubscriptionsHandler implements ICommandHandler<UpdateSubscriptions, UpdateSubscriptionsResult> {
  constructor(
    private readonly directory: Directory,
    private readonly joining: SubscribeToChannelsHandler,
    private readonly leaving: UnsubscribeFromChannelsHandler,
  ) {}

  async execute(command: UpdateSubscriptions): Promise<UpdateSubscriptionsResult> {
    requireSomeChange(command);
    const { add, remove, callerId, by } = command;
    const request = { channels: add, principals: null, authorizationErrorsFatal: true, options: USUAL };
    const join = add.length > 0 ? new SubscribeToChannels(request, callerId, by) : null;
    const leave = new UnsubscribeFromChannels(remove, null, callerId, by);
    if (join) await this.joining.plan(join);
    this.leaving.plan(leave);

    const parts = new PartByPart();
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

  /** This endpoint is published with addresses where `POST` has ids. */
  private byAddress(byId: ChannelNamesByUser = {}): ChannelNamesByUser {
    const entries = Object.entries(byId).map(([id, names]) => [this.directory.user(Number(id))?.email ?? id, names]);
    return Object.fromEntries(entries);
  }
}
