import type { TokenKind } from '../../../events/push/push.events.js';
import { refuse } from '../../../platform/kernel/domain-error.js';

const MAX_TOKEN_LENGTH = 4096;

/**
 * Gives the token in the form in which equal tokens are equal.
 * @throws DomainError PUSH_TOKEN_LENGTH, APNS_TOKEN_INVALID
 */
export function checkedToken(kind: TokenKind, token: string): string {
  if (token === '' || token.length > MAX_TOKEN_LENGTH) refuse('PUSH_TOKEN_LENGTH');
  if (kind === 'fcm') return token;
  if (!/^(?:[0-9a-f]{2})+$/i.test(token)) refuse('APNS_TOKEN_INVALID');
  return token.toLowerCase();
}

/** @throws DomainError PUSH_APP_ID_INVALID */
export function checkedAppId(appId: string): string {
  return /^[.a-zA-Z0-9-]+$/.test(appId) ? appId : refuse('PUSH_APP_ID_INVALID');
}
