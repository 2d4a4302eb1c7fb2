/** Nest token. */
export const PAGE_SETTINGS = Symbol('PageSettings');

/** The page as `npm run build` makes it, from the root of the package. */
export const PAGE_INDEX = 'dist/web/index.html';

export interface PageSettings {
  readonly isServed: boolean;
  /** The built page, with its files beside it; null: it is not built. */
  readonly index: URL | null;
}
