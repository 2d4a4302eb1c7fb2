/** Paths of avatars, outside of the API. */
export const AVATAR_ROUTES = ['avatar/:user', 'avatar/:user/medium'];
