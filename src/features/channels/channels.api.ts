import type { FeatureApi } from '../feature.js';
import { ChannelClientEvents } from './channels.client-events.js';
import { ChannelStateReader } from './channels.register.js';
import { ChangeSubscriptionSettingsHandler } from './commands/change-subscription-settings.handler.js';
import { channelHandlers } from './commands/channels.handlers.js';
import { CreateChannelHandler } from './commands/create-channel.handler.js';
import { SubscribeToChannelsHandler } from './commands/subscribe-to-channels.handler.js';
import { UnsubscribeFromChannelsHandler } from './commands/unsubscribe-from-channels.handler.js';
import { UnsubscribeUsersHandler } from './commands/unsubscribe-users.handler.js';
import { UpdateChannelHandler } from './commands/update-channel.handler.js';
import { UpdateSubscriptionsHandler } from './commands/update-subscriptions.handler.js';
import { ChannelsController } from './http/channels.controller.js';
import { SubscribersController } from './http/subscribers.controller.js';
import { SubscriptionsController } from './http/subscriptions.controller.js';
import { channelQueries } from './queries/channels.queries.js';
import { GetChannelHandler } from './queries/get-channel.handler.js';
import { GetChannelsHandler } from './queries/get-channels.handler.js';
import { GetSubscriptionsHandler } from './queries/get-subscriptions.handler.js';

export const api: FeatureApi = {
  controllers: [ChannelsController, SubscriptionsController, SubscribersController],
  providers: [
    ...channelHandlers,
    CreateChannelHandler,
    UpdateChannelHandler,
    GetChannelsHandler,
    GetChannelHandler,
    ChangeSubscriptionSettingsHandler,
    ...channelQueries,
    GetSubscriptionsHandler,
    SubscribeToChannelsHandler,
    UnsubscribeFromChannelsHandler,
    UnsubscribeUsersHandler,
    UpdateSubscriptionsHandler,
  ],
  clientEvents: [ChannelClientEvents],
  register: [ChannelStateReader],
};
