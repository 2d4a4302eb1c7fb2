import { type Markup, markup, NOTHING } from '../../../platform/pages/markup.js';
import { PAGE_ROUTE } from '../page.routes.js';
import type { PageSettings } from '../page.settings.js';

/** Leads into the page from where somebody has got a password; nothing if there is no page. */
export const wayIn = ({ isServed }: PageSettings): Markup =>
  isServed ? markup`<p><a href="${PAGE_ROUTE}">Sign in here, in this browser</a></p>` : NOTHING;
