/** Routes without the API's prefix. */
export const PAGE_ROUTE = '/';
export const ASSET_ROUTE = 'assets/:file';
