/** Most characters of a token of either service. */
export const MAX_TOKEN_LENGTH = 4096;
const MAX_APP_ID_LENGTH = 255;

/** Apple's tokens are whole bytes in hexadecimal. They become a part of a path. */
export const isAppleToken = (token: string): boolean =>
  token.length <= MAX_TOKEN_LENGTH && /^(?:[0-9a-f]{2})+$/i.test(token);

/** Google's tokens are visible ASCII characters. */
export const isGoogleToken = (token: string): boolean =>
  token.length <= MAX_TOKEN_LENGTH && /^[\x21-\x7e]+$/.test(token);

/** The bundle id of one of Apple's apps, which becomes a header of every notification. */
export const isAppId = (appId: string): boolean => appId.length <= MAX_APP_ID_LENGTH && /^[.a-zA-Z0-9-]+$/.test(appId);
