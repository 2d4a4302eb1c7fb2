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
    () => import('./commands/subscriptions.handlers.js'),
    () => import('./commands/channels.handlers.js'),
    () => import('./commands/subscribe-to-channels.handler.js'),
    () => import('./http/channels.controller.js'),
    () => import('./http/subscriptions.controller.js'),
    () => import('./queries/channels.queries.js'),
    () => import('./channels.client-events.js'),
    () => import('./channels.register.js'),
  ],
} as const satisfies Feature;
