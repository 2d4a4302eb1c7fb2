import { AVATARS_PATH } from '../../directory/avatars.js';

/** Paths by which clients that know only an account's id or address get its avatar. Outside of the API, as the pictures. */
export const AVATAR_ROUTE = 'avatar/:user';
export const MEDIUM_AVATAR_ROUTE = `${AVATAR_ROUTE}/medium`;

export const AVATAR_PICTURE_ROUTE = `${AVATARS_PATH}/:user_id/:picture`;
