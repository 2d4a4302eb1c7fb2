import type { Feature } from '../feature.js';
import { joiningNotices } from './consequences/joining-notices.js';
import { moveNoticing } from './consequences/move-noticing.js';
import { messageRefusals } from './messages.refusals.js';

export const messagesFeature = {
  name: 'messages',
  refusals: messageRefusals,
  consequences: [moveNoticing, joiningNotices],
  api: () => import('./messages.api.js'),
} as const satisfies Feature;
