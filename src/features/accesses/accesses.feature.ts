import type { Feature } from '../feature.js';
import { accessSettings } from './accesses.settings.js';

/** Records uses of the server that change nothing, for the audit. */
export const accessesFeature = {
  name: 'accesses',
  settings: accessSettings,
  api: [
    () => import('./services/access-log.js'),
    () => import('./http/key-addresses.js'),
    () => import('./http/refused-requests.js'),
    () => import('./log/addresses-in-log.js'),
  ],
} as const satisfies Feature;
