import { Module } from '@nestjs/common';
import { SubscribeToChannelsHandler } from './commands/subscribe-to-channels.handler.js';
import { SubscribeUsersHandler } from './commands/subscribe-users.handler.js';
import { UnsubscribeUsersHandler } from './commands/unsubscribe-users.handler.js';
import { SubscriptionsController } from './http/subscriptions.controller.js';
import { GetSubscriptionsHandler } from './queries/get-subscriptions.handler.js';

@Module({
  controllers: [SubscriptionsController],
  providers: [SubscribeToChannelsHandler, SubscribeUsersHandler, UnsubscribeUsersHandler, GetSubscriptionsHandler],
})
export class SubscriptionsModule {}
