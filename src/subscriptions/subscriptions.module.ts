import { Module } from '@nestjs/common';
import { ChangeSubscriptionSettingsHandler } from './commands/change-subscription-settings.handler.js';
import { SubscribeToChannelsHandler } from './commands/subscribe-to-channels.handler.js';
import { SubscribeUsersHandler } from './commands/subscribe-users.handler.js';
import { UnsubscribeFromChannelsHandler } from './commands/unsubscribe-from-channels.handler.js';
import { UnsubscribeUsersHandler } from './commands/unsubscribe-users.handler.js';
import { UpdateSubscriptionsHandler } from './commands/update-subscriptions.handler.js';
import { SubscribersController } from './http/subscribers.controller.js';
import { SubscriptionsController } from './http/subscriptions.controller.js';
import { GetSubscribersHandler } from './queries/get-subscribers.handler.js';
import { GetSubscriptionStatusHandler } from './queries/get-subscription-status.handler.js';
import { GetSubscriptionsHandler } from './queries/get-subscriptions.handler.js';

@Module({
  controllers: [SubscriptionsController, SubscribersController],
  providers: [
    ChangeSubscriptionSettingsHandler,
    GetSubscribersHandler,
    GetSubscriptionStatusHandler,
    GetSubscriptionsHandler,
    SubscribeToChannelsHandler,
    SubscribeUsersHandler,
    UnsubscribeFromChannelsHandler,
    UnsubscribeUsersHandler,
    UpdateSubscriptionsHandler,
  ],
})
export class SubscriptionsModule {}
