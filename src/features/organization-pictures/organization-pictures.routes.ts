import { DEFAULT_LOGO_PATHS, ORGANIZATION_PICTURES_PATH } from '../../directory/organization-pictures.js';

/** The path of uploaded pictures. `kind` is a picture's stored name. */
export const ORGANIZATION_PICTURE_ROUTE = `${ORGANIZATION_PICTURES_PATH}/:kind/:picture`;

/** Outside of the API. */
export const PICTURE_ROUTES_OUTSIDE = [ORGANIZATION_PICTURE_ROUTE, ...Object.values(DEFAULT_LOGO_PATHS)];
