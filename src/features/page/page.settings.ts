import { foundInPackage } from '../../platform/files/file-of-package.js';
import { featureSettings, THAT_ANSWER_CLIENTS, trueOrFalse } from '../../platform/settings/setting.js';

/** Nest token. */
export const PAGE_SETTINGS = Symbol('PageSettings');

/** The page as `npm run build` makes it, from the root of the package. */
const PAGE_INDEX = 'dist/web/index.html';

export interface PageSettings {
  readonly isServed: boolean;
  /** The built page, with its files beside it; null: it is not built. */
  readonly index: URL | null;
}

export const pageSettings = featureSettings(
  {
    page: trueOrFalse({
      environment: 'ANNALS_PAGE',
      about: 'true: people who open the public URL in a browser get the page; false: they get 404',
      default: true,
      commands: THAT_ANSWER_CLIENTS,
    }),
  },
  ({ page }) => [[PAGE_SETTINGS, { isServed: page, index: foundInPackage(PAGE_INDEX) } satisfies PageSettings]],
);
