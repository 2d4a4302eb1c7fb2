/** The organization has no name in its default logo, because names are set in fonts. Three rings, one for each speaker. */
const logoIn = (ink: string): string =>
  '<svg xmlns="http://www.w3.org/2000/svg" width="200" height="100" viewBox="0 0 200 100" fill="none"' +
  ` stroke="${ink}" stroke-width="8"><circle cx="60" cy="50" r="32"/><circle cx="100" cy="50" r="32"/>` +
  '<circle cx="140" cy="50" r="32"/></svg>';

/** The logo of an organization that has uploaded none, for light and dark themes. */
export const DEFAULT_LOGOS = { logo: logoIn('#333'), nightLogo: logoIn('#ddd') } as const;
