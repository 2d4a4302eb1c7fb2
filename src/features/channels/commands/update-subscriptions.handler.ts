import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Directory } from '../../../directory/directory.js';
import { MultiStreamCommand } from '../../../platform/commands/multi-stream-command.js';
import type { ChannelOptions } from '../domain/channel-options.js';
import { type ChannelNamesByUser, SubscribeToChannels } from '../domain/subscribe-to-channels.js';
import { UnsubscribeFromChannels } from '../domain/unsubscribe-from-channels.js';
import {
  requireSomeChange,
  UpdateSubscriptions,
  type UpdateSubscriptionsResult,
} from '../domain/update-subscriptions.js';
import { SubscribeToChannelsHandler } from './subscribe-to-channels.handler.js';
import { UnsubscribeFromChannelsHandler } from './unsubscribe-from-channels.handler.js';

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
