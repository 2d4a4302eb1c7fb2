import type { Feature } from '../feature.js';
import { announcementChannelWithdrawal } from './consequences/announcement-channel-withdrawal.js';
import { defaultChannelCreation } from './consequences/default-channel-creation.js';
import { archivedChannelWithdrawal, privateChannelWithdrawal } from './consequences/default-channel-withdrawal.js';
import { organizationRefusals } from './organization.refusals.js';

export const organizationFeature = {
  name: 'organization',
  refusals: organizationRefusals,
  consequences: [
    defaultChannelCreation,
    privateChannelWithdrawal,
    archivedChannelWithdrawal,
    announcementChannelWithdrawal,
  ],
  describes: () => import('./http/organization.descriptions.js'),
  api: [
    () => import('./commands/add-default-channel.handler.js'),
    () => import('./commands/change-realm-settings.handler.js'),
    () => import('./commands/organization.handlers.js'),
    () => import('./http/default-channels.controller.js'),
    () => import('./http/linkifiers.controller.js'),
    () => import('./http/playgrounds.controller.js'),
    () => import('./http/profile-fields.controller.js'),
    () => import('./http/realm.controller.js'),
    () => import('./http/server-settings.controller.js'),
    () => import('./queries/get-server-settings.handler.js'),
    () => import('./queries/organization.queries.js'),
    () => import('./organization.register.js'),
  ],
} as const satisfies Feature;
