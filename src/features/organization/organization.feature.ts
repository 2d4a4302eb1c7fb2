import type { Feature } from '../feature.js';
import {
  announcementChannelWithdrawal,
  archivedChannelWithdrawal,
  defaultChannelCreation,
  privateChannelWithdrawal,
} from './consequences/default-channels.js';
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
    () => import('./commands/organization.handlers.js'),
    () => import('./http/default-channels.controller.js'),
    () => import('./http/linkifiers.controller.js'),
    () => import('./http/playgrounds.controller.js'),
    () => import('./http/profile-fields.controller.js'),
    () => import('./http/realm.controller.js'),
    () => import('./queries/organization.queries.js'),
    () => import('./organization.register.js'),
  ],
} as const satisfies Feature;
