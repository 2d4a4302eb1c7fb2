import { Controller, Delete, Get, Patch, Post } from '@nestjs/common';
import { Caller } from '../../../directory/http/caller.decorator.js';
import { Dispatch } from '../../../platform/http/dispatch.js';
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
  constructor(private readonly dispatch: Dispatch) {}

  @Get()
  async list(
    @Caller() { user }: Caller,
    @Parameters() { include_subscribers }: GetSubscriptionsParameters,
  ): Promise<{ subscriptions: readonly SubscriptionForClients[] }> {
    const query = new GetSubscriptions({ userId: user._id, includeSubscribers: include_subscribers !== 'false' });
    return { subscriptions: await this.dispatch.ask(query) };
  }

  @Post()
  subscribe(@Caller() { user, by }: Caller, @Parameters() parameters: SubscribeParameters): Promise<SubscribeResult> {
    const request = {
      channels: parameters.subscriptions.map((channel) => ({ ...channel, color: null })),
      principals: parameters.principals ?? null,
      authorizationErrorsFatal: parameters.authorization_errors_fatal,
      options: channelOptions(parameters),
    };
    return this.dispatch.do(new SubscribeToChannels({ request, callerId: user._id, by }));
  }

  @Patch()
  update(
    @Caller() { user, by }: Caller,
    @Parameters() parameters: UpdateSubscriptionsParameters,
  ): Promise<UpdateSubscriptionsResult> {
    const add = parameters.add.map((channel) => ({ ...channel, color: channel.color ?? null }));
    const remove = parameters.delete;
    return this.dispatch.do(new UpdateSubscriptions({ add, remove, callerId: user._id, by }));
  }

  @Delete()
  unsubscribe(
    @Caller() { user, by }: Caller,
    @Parameters() { subscriptions, principals }: UnsubscribeParameters,
  ): Promise<UnsubscribeResult> {
    return this.dispatch.do(
      new UnsubscribeFromChannels({
        channelNames: subscriptions,
        principals: principals ?? null,
        callerId: user._id,
        by,
      }),
    );
  }

  @Post('properties')
  async changeSettings(
    @Caller() { user, by }: Caller,
    @Parameters() { subscription_data }: SubscriptionPropertiesParameters,
  ): Promise<void> {
    const changes = subscription_data.map(settingChange);
    await this.dispatch.do(new ChangeSubscriptionSettings({ userId: user._id, changes, by }));
  }
}
