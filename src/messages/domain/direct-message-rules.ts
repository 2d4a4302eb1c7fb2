import { refuse } from '../../kernel/domain-error.js';

/** Somebody whom a direct message is for. */
export interface DirectRecipient {
  readonly id: number;
  readonly isBot: boolean;
  /** Is in the organisation's `direct_message_permission_group`. */
  readonly mayUseDirectMessages: boolean;
}

/** What the organisation lets the sender do, and what there is already (D4). */
export interface DirectMessageFacts {
  readonly sender: Pick<DirectRecipient, 'isBot' | 'mayUseDirectMessages'>;
  /** The permission is nobody's. */
  readonly isDisabled: boolean;
  /** Is in `direct_message_initiator_group`, or the conversation has begun already. */
  readonly maySendFirst: boolean;
}

/**
 * Each conversation has somebody in it who may have direct messages, and was begun by somebody who may begin one. Bots
 * write to whom they like; nobody has to ask for leave to write to bots or to themselves.
 */
export function requireOpenConversation(
  senderId: number,
  recipients: readonly DirectRecipient[],
  { sender, isDisabled, maySendFirst }: DirectMessageFacts,
): void {
  if (sender.isBot || recipients.every(({ id, isBot }) => isBot || id === senderId)) return;
  const isAuthorized = sender.mayUseDirectMessages || recipients.some((one) => one.mayUseDirectMessages);
  if (!isAuthorized) refuse(isDisabled ? 'DIRECT_MESSAGES_DISABLED' : 'CONVERSATION_NOT_AUTHORIZED');
  if (!maySendFirst) refuse('MAY_NOT_BEGIN_CONVERSATION');
}
