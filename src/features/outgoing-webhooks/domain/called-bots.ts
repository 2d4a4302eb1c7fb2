import { BOT_TYPES, type BotType } from '../../../events/users/users.settings.js';

export type WebhookTrigger = 'direct_message' | 'mention';

/** An account, as far as it matters for calls. */
export interface MaybeBot {
  readonly _id: number;
  readonly isActive: boolean;
  readonly bot: { readonly type: BotType } | null;
}

export interface CallingMessage {
  readonly senderId: number;
  /** All participants of a direct message; null in a channel. */
  readonly participants: readonly number[] | null;
  /** Accounts that the message mentions by name. */
  readonly mentioned: readonly number[];
}

/** The outgoing webhook bots that a message calls. The message of a bot calls none, so bots never call each other. */
export function calledWebhooks(
  { senderId, participants, mentioned }: CallingMessage,
  account: (id: number) => MaybeBot | undefined,
): readonly { readonly botId: number; readonly trigger: WebhookTrigger }[] {
  if (account(senderId)?.bot !== null) return [];
  const trigger = participants === null ? 'mention' : 'direct_message';
  return (participants ?? mentioned).flatMap((botId) => {
    const called = account(botId);
    return called?.isActive && called.bot?.type === BOT_TYPES.outgoingWebhook ? [{ botId, trigger }] : [];
  });
}
