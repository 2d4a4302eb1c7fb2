import { API_PREFIX } from '../../platform/http/api-prefix.js';

export const UPLOADS_ROUTE = 'user_uploads';
export const FILE_ROUTE = `${UPLOADS_ROUTE}/:realm_id_str/:file_id/:filename`;
/** The published description has one parameter for the file's id and name. Clients may encode the slash in it. */
export const ENCODED_FILE_ROUTE = `${UPLOADS_ROUTE}/:realm_id_str/:filename`;
export const DOWNLOAD_ROUTE = `${UPLOADS_ROUTE}/download/:realm_id_str/:file_id/:filename`;
export const TEMPORARY_ROUTE = `${UPLOADS_ROUTE}/temporary/:token/:filename`;
export const THUMBNAIL_ROUTE = `${UPLOADS_ROUTE}/thumbnail/:realm_id_str/:file_id/:filename/:format`;
/** The pictures of rendered messages. */
export const PICTURE_ROUTE = 'thumbnail';

/** Paths that do not get the API's prefix. */
export const FILE_ROUTES_OUTSIDE = [
  FILE_ROUTE,
  ENCODED_FILE_ROUTE,
  DOWNLOAD_ROUTE,
  TEMPORARY_ROUTE,
  THUMBNAIL_ROUTE,
  PICTURE_ROUTE,
  `${API_PREFIX}/${FILE_ROUTE}`,
  `${API_PREFIX}/${ENCODED_FILE_ROUTE}`,
];
