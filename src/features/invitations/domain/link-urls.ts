/** URL of a link for many. @param site the server's public URL */
export const joinUrl = (site: string, token: string): string => `${site}/join/${token}/`;

/** URL of the link in a mail. @param site the server's public URL */
export const confirmUrl = (site: string, token: string): string => `${site}/accounts/do_confirm/${token}`;
