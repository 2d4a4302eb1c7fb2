import type { PushTokenRemoved, TokenKind } from '../../../events/push/push.events.js';
import { Command, type Decide, refuse } from '../../../platform/kernel/deciding.js';
import { type PushState, tokenHash } from './push.state.js';
import { checkedToken } from './push-token.js';

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
