import type { Feature } from '../feature.js';
import { channelRefusals } from './channels.refusals.js';
import { accountCreation } from './consequences/account-creation.js';
import { channelCreation } from './consequences/channel-creation.js';

export const channelsFeature = {
  name: 'channels',
  refusals: channelRefusals,
  consequences: [accountCreation, channelCreation],
  describes: () => import('./http/channels.descriptions.js'),
  api: [
    () => import('./commands/change-subscription-settings.handler.js'),
    () => import('./commands/channels.handlers.js'),
    () => import('./commands/create-channel.handler.js'),
    () => import('./commands/subscribe-to-channels.handler.js'),
    () => import('./commands/unsubscribe-from-channels.handler.js'),
    () => import('./commands/unsubscribe-users.handler.js'),
    () => import('./commands/update-channel.handler.js'),
    () => import('./commands/update-subscriptions.handler.js'),
    () => import('./http/channels.controller.js'),
    () => import('./http/subscriptions.controller.js'),
    () => import('./http/subscribers.controller.js'),
    () => import('./queries/channels.queries.js'),
    () => import('./queries/get-channel.handler.js'),
    () => import('./queries/get-channels.handler.js'),
    () => import('./queries/get-subscriptions.handler.js'),
    () => import('./channels.client-events.js'),
    () => import('./channels.register.js'),
  ],
} as const satisfies Feature;
