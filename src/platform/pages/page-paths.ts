/** The first parts of the paths of pages. Every answer at them and below is a page, errors too. */
const PAGE_PREFIXES = ['/accounts', '/join'] as const;

/** Routes of pages, for which Nest leaves out the API's prefix. */
export const PAGE_ROUTES_OUTSIDE = PAGE_PREFIXES.map((prefix) => `${prefix.slice(1)}/*path`);

export const isPagePath = (url: string): boolean =>
  PAGE_PREFIXES.some((prefix) => url.startsWith(prefix) && /^(?:[/?]|$)/.test(url.slice(prefix.length)));

/** Pages are found with and without a slash at the end of their path: Nest's routes have none, and links do. */
export const pageUrl = (url: string): string => (isPagePath(url) ? url.replace(/\/(?=$|\?)/, '') : url);
