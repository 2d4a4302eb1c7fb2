import { API_PREFIX } from '../../../platform/http/api-prefix.js';

export const UPLOADS_ROUTE = 'user_uploads';
export const FILE_ROUTE = `${UPLOADS_ROUTE}/:realm_id_str/:file_id/:filename`;
export const DOWNLOAD_ROUTE = `${UPLOADS_ROUTE}/download/:realm_id_str/:file_id/:filename`;
export const TEMPORARY_ROUTE = `${UPLOADS_ROUTE}/temporary/:token/:filename`;

/** Paths that do not get the API's prefix. */
export const FILE_ROUTES_OUTSIDE = [FILE_ROUTE, DOWNLOAD_ROUTE, TEMPORARY_ROUTE, `${API_PREFIX}/${FILE_ROUTE}`];
