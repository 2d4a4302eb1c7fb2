import type { MessageSent } from '../../../events/messages/messages.events.js';
import { BOT_TYPES, type BotType } from '../../../events/users/users.settings.js';

export type WebhookTrigger = 'direct_message' | 'mention';

/** An account, as far as it matters for calls. */
export interface MaybeBot {
  readonly isActive: boolean;
  readonly bot: { readonly type: BotType } | null;
}

export interface BotAccounts {
  user(id: number): MaybeBot | undefined;
  /** Ids of the outgoing webhook bots, deactivated ones included. */
  allWebhookBots(): ReadonlySet<number>;
}

/** The part of a sent message that is not encrypted. */
type OpenPart = Pick<MessageSent['data'], 'senderId' | 'recipient'>;

/** The outgoing webhook bots that a message calls. The message of a bot calls none, so bots never call each other. */
export function calledWebhooks(
  { content, ...open }: OpenPart & Pick<MessageSent['data'], 'content'>,
  accounts: BotAccounts,
): readonly { readonly botId: number; readonly trigger: WebhookTrigger }[] {
  if (!mayCall(open, accounts)) return [];
  const { recipient } = open;
  const called = recipient.type === 'direct' ? recipient.userIds : (content?.mentions?.userIds ?? []);
  const trigger = recipient.type === 'direct' ? 'direct_message' : 'mention';
  return called.filter((id) => isCallable(id, accounts)).map((botId) => ({ botId, trigger }));
}

/** Tells from the open part of a message whether it may call a bot: mentions are encrypted. */
export function mayCall({ senderId, recipient }: OpenPart, accounts: BotAccounts): boolean {
  if (accounts.user(senderId)?.bot !== null) return false;
  const among = recipient.type === 'direct' ? recipient.userIds : [...accounts.allWebhookBots()];
  return among.some((id) => isCallable(id, accounts));
}

function isCallable(id: number, accounts: BotAccounts): boolean {
  const account = accounts.user(id);
  return account?.isActive === true && account.bot?.type === BOT_TYPES.outgoingWebhook;
}
