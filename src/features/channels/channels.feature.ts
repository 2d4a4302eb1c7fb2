import type { Feature } from '../feature.js';
import { channelRefusals } from './channels.refusals.js';
import { accountCreation } from './consequences/account-creation.js';
import { channelCreation } from './consequences/channel-creation.js';

export const channelsFeature = {
  name: 'channels',
  refusals: channelRefusals,
  consequences: [accountCreation, channelCreation],
  api: () => import('./channels.api.js'),
} as const satisfies Feature;
