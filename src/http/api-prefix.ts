/** Where every route of the API lives. */
export const API_PREFIX = 'api/v1';
