import { Controller, Delete, Get, Patch, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { Caller, commandContext } from '../../../directory/http/caller.decorator.js';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator.js';
import { ChangeSubscriptionSettings } from '../domain/change-subscription-settings.js';
import { type SubscribeResult, SubscribeToChannels } from '../domain/subscribe-to-channels.js';
import { UnsubscribeFromChannels, type UnsubscribeResult } from '../domain/unsubscribe-from-channels.js';
import { UpdateSubscriptions, type UpdateSubscriptionsResult } from '../domain/update-subscriptions.js';
import type { SubscriptionForClients } from '../queries/channels-for-clients.js';
import { GetSubscriptions } from '../queries/get-subscriptions.handler.js';
import { channelOptions } from './channel-options.parameters.js';
import {
  GetSubscriptionsParameters,
  SubscribeParameters,
  SubscriptionPropertiesParameters,
  settingChange,
  UnsubscribeParameters,
  UpdateSubscriptionsParameters,
} from './subscriptions.parameters.js';

@Controller('users/me/subscriptions')
export class SubscriptionsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get()
  async list(
    @Caller() { user }: Caller,
    @Parameters(GetSubscriptionsParameters) { include_subscribers }: GetSubscriptionsParameters,
  ): Promise<{ subscriptions: readonly SubscriptionForClients[] }> {
    const query = new GetSubscriptions({ userId: user._id, includeSubscribers: include_subscribers !== 'false' });
    return { subscriptions: await this.queries.execute(query) };
  }

  @Post()
  subscribe(
    @Caller() caller: Caller,
    @Parameters(SubscribeParameters) parameters: SubscribeParameters,
  ): Promise<SubscribeResult> {
    const request = {
      channels: parameters.subscriptions.map((channel) => ({ ...channel, color: null })),
      principals: parameters.principals ?? null,
      authorizationErrorsFatal: parameters.authorization_errors_fatal,
      options: channelOptions(parameters),
    };
    return this.commands.execute(
      new SubscribeToChannels({ request, callerId: caller.user._id, by: commandContext(caller) }),
    );
  }

  @Patch()
  update(
    @Caller() caller: Caller,
    @Parameters(UpdateSubscriptionsParameters) parameters: UpdateSubscriptionsParameters,
  ): Promise<UpdateSubscriptionsResult> {
    const add = parameters.add.map((channel) => ({ ...channel, color: channel.color ?? null }));
    const remove = parameters.delete;
    return this.commands.execute(
      new UpdateSubscriptions({ add, remove, callerId: caller.user._id, by: commandContext(caller) }),
    );
  }

  @Delete()
  unsubscribe(
    @Caller() caller: Caller,
    @Parameters(UnsubscribeParameters) { subscriptions, principals }: UnsubscribeParameters,
  ): Promise<UnsubscribeResult> {
    return this.commands.execute(
      new UnsubscribeFromChannels({
        channelNames: subscriptions,
        principals: principals ?? null,
        callerId: caller.user._id,
        by: commandContext(caller),
      }),
    );
  }

  @Post('properties')
  async changeSettings(
    @Caller() caller: Caller,
    @Parameters(SubscriptionPropertiesParameters) { subscription_data }: SubscriptionPropertiesParameters,
  ): Promise<void> {
    const changes = subscription_data.map(settingChange);
    await this.commands.execute(
      new ChangeSubscriptionSettings({ userId: caller.user._id, changes, by: commandContext(caller) }),
    );
  }
}
