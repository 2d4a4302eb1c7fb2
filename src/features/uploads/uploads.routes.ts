import { API_PREFIX } from '../../platform/http/api-prefix.js';

export const UPLOADS_ROUTE = 'user_uploads';
const PATHS = [':realm_id_str/:folder/:file_id/:filename', ':realm_id_str/:file_id/:filename'];
/** Files of earlier versions have no folder in their URLs. */
export const FILE_ROUTES = PATHS.map((path) => `${UPLOADS_ROUTE}/${path}`);
/** The published description has one parameter for the file's folder, id and name. Clients may encode the slashes in it. */
export const ENCODED_FILE_ROUTE = `${UPLOADS_ROUTE}/:realm_id_str/:filename`;
export const DOWNLOAD_ROUTES = PATHS.map((path) => `${UPLOADS_ROUTE}/download/${path}`);
export const TEMPORARY_ROUTE = `${UPLOADS_ROUTE}/temporary/:token/:filename`;
export const THUMBNAIL_ROUTES = PATHS.map((path) => `${UPLOADS_ROUTE}/thumbnail/${path}/:format`);
/** The pictures of rendered messages. */
export const PICTURE_ROUTE = 'thumbnail';

/** Paths that do not get the API's prefix. */
export const FILE_ROUTES_OUTSIDE = [
  ...FILE_ROUTES,
  ENCODED_FILE_ROUTE,
  ...DOWNLOAD_ROUTES,
  TEMPORARY_ROUTE,
  ...THUMBNAIL_ROUTES,
  PICTURE_ROUTE,
  ...FILE_ROUTES.map((route) => `${API_PREFIX}/${route}`),
  `${API_PREFIX}/${ENCODED_FILE_ROUTE}`,
];
