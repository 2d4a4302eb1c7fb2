/** The prefix of every route of the API. */
export const API_PREFIX = 'api/v1';
