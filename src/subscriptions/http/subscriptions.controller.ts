import { Controller, Get, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { SubscriptionForClients } from '../../directory/records-for-clients.js';
import { Caller, commandContext } from '../../http/caller.decorator.js';
import { Parameters } from '../../http/parameters/parameters.decorator.js';
import type { SubscribeResult } from '../commands/subscribe-to-channels.handler.js';
import { SubscribeToChannels } from '../domain/subscribe-to-channels.js';
import { GetSubscriptions } from '../queries/get-subscriptions.handler.js';
import { GetSubscriptionsParameters } from './get-subscriptions.parameters.js';
import { SubscribeParameters } from './subscribe.parameters.js';

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
    const query = new GetSubscriptions(user._id, include_subscribers !== 'false');
    return { subscriptions: await this.queries.execute(query) };
  }

  @Post()
  subscribe(
    @Caller() caller: Caller,
    @Parameters(SubscribeParameters) parameters: SubscribeParameters,
  ): Promise<SubscribeResult> {
    const request = {
      channels: parameters.subscriptions,
      principals: parameters.principals ?? null,
      inviteOnly: parameters.invite_only,
      historyPublicToSubscribers: parameters.history_public_to_subscribers ?? null,
      authorizationErrorsFatal: parameters.authorization_errors_fatal,
    };
    return this.commands.execute<SubscribeToChannels, SubscribeResult>(
      new SubscribeToChannels(request, caller.user._id, commandContext(caller)),
    );
  }
}
