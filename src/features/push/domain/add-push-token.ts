import type { PushTokenAdded, PushTokenRemoved, TokenKind } from '../../../events/push/push.events.js';
import { Command, type Decide, refuse } from '../../../platform/kernel/deciding.js';
import { type PushState, tokenHash } from './push.state.js';
import { checkedAppId, checkedToken } from './push-token.js';

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

export interface AddPushTokenFacts {
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
