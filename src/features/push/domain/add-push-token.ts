import type { PushTokenAdded, TokenKind } from '../../../events/push/push.events.js';
import { Command } from '../../../platform/kernel/command.js';
import type { CommandContext } from '../../../platform/kernel/command-context.js';
import type { Decide } from '../../../platform/kernel/decider.js';
import { refuse } from '../../../platform/kernel/domain-error.js';
import { type PushState, tokenHash } from './push.state.js';
import { checkedAppId, checkedToken } from './push-token.js';

/** Greatest number of tokens, and of registered devices, of a user: each of them gets every notification. */
export const MOST_DEVICES = 200;

/** Adds a device's token to a user's. */
export class AddPushToken extends Command<void> {
  constructor(
    readonly userId: number,
    readonly kind: TokenKind,
    readonly token: string,
    /** Of Apple's tokens only. */
    readonly appId: string | null,
    readonly by: CommandContext,
  ) {
    super();
  }
}

export interface AddPushTokenFacts {
  readonly keyId: string;
  readonly isBot: boolean;
}

export const decideAddPushToken: Decide<AddPushToken, PushState, PushTokenAdded, AddPushTokenFacts> = (
  { userId, kind, token: given, appId: givenAppId },
  { tokens, keyIdByHash },
  { keyId, isBot },
) => {
  if (isBot) refuse('BOTS_NOT_ALLOWED');
  const appId = givenAppId === null ? null : checkedAppId(givenAppId);
  const token = checkedToken(kind, given);
  if (keyIdByHash.has(tokenHash(kind, token))) return [];
  if (tokens.size >= MOST_DEVICES) refuse('TOO_MANY_PUSH_DEVICES', { limit: MOST_DEVICES });
  return [{ type: 'PushTokenAdded', data: { userId, kind, keyId, token: { token, appId } } }];
};
