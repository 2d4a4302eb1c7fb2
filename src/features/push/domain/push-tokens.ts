import type { PushTokenAdded, PushTokenRemoved, TokenKind } from '../../../events/push/push.events.js';
import { Command, type Decide, refuse } from '../../../platform/kernel/deciding.js';
import { isAppId, isAppleToken, isGoogleToken, MAX_TOKEN_LENGTH } from '../../../platform/kernel/device-token.js';
import { type PushState, tokenHash } from './push.state.js';

/**
 * Gives the token in the form in which equal tokens are equal.
 * @throws DomainError PUSH_TOKEN_LENGTH, APNS_TOKEN_INVALID, FCM_TOKEN_INVALID
 */
function checkedToken(kind: TokenKind, token: string): string {
  if (token === '' || token.length > MAX_TOKEN_LENGTH) refuse('PUSH_TOKEN_LENGTH');
  if (kind === 'fcm') return isGoogleToken(token) ? token : refuse('FCM_TOKEN_INVALID');
  return isAppleToken(token) ? token.toLowerCase() : refuse('APNS_TOKEN_INVALID');
}

/** @throws DomainError PUSH_APP_ID_INVALID */
function checkedAppId(appId: string): string {
  return isAppId(appId) ? appId : refuse('PUSH_APP_ID_INVALID');
}

/** Greatest number of tokens, and of registered devices, of a user: each of them gets every notification. */
export const MOST_DEVICES = 200;

/** Adds a device's token to a user's. */
export class AddPushToken extends Command<{
  userId: number;
  kind: TokenKind;
  given: {
    readonly token: string;
    /** Of Apple's tokens only. */
    readonly appId: string | null;
  };
  /** Id of the API key of the request. */
  apiKeyId: string | null;
}> {}

interface AddPushTokenFacts {
  readonly keyId: string;
  readonly isBot: boolean;
}

/** A token that is added again with another API key goes with that key from then on. */
export const decideAddPushToken: Decide<
  AddPushToken,
  PushState,
  PushTokenAdded | PushTokenRemoved,
  AddPushTokenFacts
> = ({ userId, kind, given, apiKeyId }, { tokens, keyIdByHash }, { keyId, isBot }) => {
  if (isBot) refuse('BOTS_NOT_ALLOWED');
  const appId = given.appId === null ? null : checkedAppId(given.appId);
  const token = checkedToken(kind, given.token);
  const added: PushTokenAdded = {
    type: 'PushTokenAdded',
    data: { userId, kind, keyId, token: { token, appId }, apiKeyId },
  };
  const earlier = keyIdByHash.get(tokenHash(kind, token));
  if (earlier !== undefined && tokens.get(earlier)?.apiKeyId === apiKeyId) return [];
  if (earlier !== undefined)
    return [{ type: 'PushTokenRemoved', data: { userId, kind, keyId: earlier, because: 'replaced' } }, added];
  if (tokens.size >= MOST_DEVICES) refuse('TOO_MANY_PUSH_DEVICES', { limit: MOST_DEVICES });
  return [added];
};

/** Removes one of the caller's tokens. */
export class RemovePushToken extends Command<{ userId: number; kind: TokenKind; token: string }> {}

export const decideRemovePushToken: Decide<
  RemovePushToken,
  PushState,
  PushTokenRemoved,
  { readonly isBot: boolean }
> = ({ userId, kind, token }, { keyIdByHash }, { isBot }) => {
  if (isBot) refuse('BOTS_NOT_ALLOWED');
  const keyId = keyIdByHash.get(tokenHash(kind, checkedToken(kind, token))) ?? refuse('PUSH_TOKEN_UNKNOWN');
  return [{ type: 'PushTokenRemoved', data: { userId, kind, keyId, because: 'asked' } }];
};

/** Removes a token that its service no longer knows. The server itself sends it. */
export class RemoveGonePushToken extends Command<{ userId: number; keyId: string }> {}

export const decideRemoveGonePushToken: Decide<RemoveGonePushToken, PushState, PushTokenRemoved> = (
  { userId, keyId },
  { tokens },
) => {
  const token = tokens.get(keyId);
  if (!token) return [];
  return [{ type: 'PushTokenRemoved', data: { userId, kind: token.kind, keyId, because: 'gone' } }];
};
