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
  api: () => import('./organization.api.js'),
} as const satisfies Feature;
