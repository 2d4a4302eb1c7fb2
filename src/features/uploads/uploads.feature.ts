import type { Feature } from '../feature.js';
import { uploadRefusals } from './uploads.refusals.js';
import { FILE_ROUTES_OUTSIDE, UPLOADS_ROUTE } from './uploads.routes.js';
import { uploadSettings } from './uploads.settings.js';

export const uploadsFeature = {
  name: 'uploads',
  refusals: uploadRefusals,
  settings: uploadSettings,
  outside: FILE_ROUTES_OUTSIDE,
  crossOrigin: [`/${UPLOADS_ROUTE}`],
  describes: () => import('./http/uploads.descriptions.js'),
  api: [
    () => import('./commands/delete-file.handler.js'),
    () => import('./services/picture-files.js'),
    () => import('./services/picture-measuring.js'),
    () => import('./services/temporary-urls.js'),
    () => import('./services/unused-file-sweeper.js'),
    () => import('./commands/upload-file.handler.js'),
    () => import('./http/uploads.controller.js'),
    () => import('./http/files.controller.js'),
    () => import('./http/thumbnails.controller.js'),
    () => import('./queries/uploads.queries.js'),
    () => import('./queries/read-thumbnail.handler.js'),
    () => import('./queries/shown-pictures.queries.js'),
    () => import('./log/recorded-files.js'),
    () => import('./log/upload-sweeper.js'),
    () => import('./uploads.client-events.js'),
    () => import('./uploads.register.js'),
  ],
} as const satisfies Feature;
