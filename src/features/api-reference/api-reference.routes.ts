/** Routes without the API's prefix, which has a version. */
export const REFERENCE_ROUTE = 'api/docs';
export const REFERENCE_FILES_ROUTE = `${REFERENCE_ROUTE}/:file`;
