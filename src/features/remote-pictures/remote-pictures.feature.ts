import type { Feature } from '../feature.js';
import { remotePictureRefusals } from './remote-pictures.refusals.js';
import { remotePictureSettings } from './remote-pictures.settings.js';

/** Pictures of other sites, which `/thumbnail` answers with. */
export const remotePicturesFeature = {
  name: 'remote-pictures',
  refusals: remotePictureRefusals,
  settings: remotePictureSettings,
  api: [() => import('./queries/read-remote-picture.handler.js'), () => import('./services/remote-picture-cache.js')],
} as const satisfies Feature;
