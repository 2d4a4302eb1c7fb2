import type { Feature } from '../feature.js';
import { joiningNotices } from './consequences/joining-notices.js';
import { moveNoticing } from './consequences/move-noticing.js';
import { messageErasures } from './messages.erasures.js';
import { messageRefusals } from './messages.refusals.js';

export const messagesFeature = {
  name: 'messages',
  refusals: messageRefusals,
  consequences: [moveNoticing, joiningNotices],
  erasures: messageErasures,
  api: () => import('./messages.api.js'),
} as const satisfies Feature;
