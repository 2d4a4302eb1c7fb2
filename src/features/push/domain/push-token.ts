import type { TokenKind } from '../../../events/push/push.events.js';
import { refuse } from '../../../platform/kernel/deciding.js';
import { isAppId, isAppleToken, isGoogleToken, MAX_TOKEN_LENGTH } from '../../../platform/kernel/device-token.js';

/**
 * Gives the token in the form in which equal tokens are equal.
 * @throws DomainError PUSH_TOKEN_LENGTH, APNS_TOKEN_INVALID, FCM_TOKEN_INVALID
 */
export function checkedToken(kind: TokenKind, token: string): string {
  if (token === '' || token.length > MAX_TOKEN_LENGTH) refuse('PUSH_TOKEN_LENGTH');
  if (kind === 'fcm') return isGoogleToken(token) ? token : refuse('FCM_TOKEN_INVALID');
  return isAppleToken(token) ? token.toLowerCase() : refuse('APNS_TOKEN_INVALID');
}

/** @throws DomainError PUSH_APP_ID_INVALID */
export function checkedAppId(appId: string): string {
  return isAppId(appId) ? appId : refuse('PUSH_APP_ID_INVALID');
}
