import { refuse } from '../../../platform/kernel/deciding.js';

/** A recipient of a direct message. */
export interface DirectRecipient {
  readonly id: number;
  readonly isBot: boolean;
  /** Whether the user is in the organization's `direct_message_permission_group`. */
  readonly mayUseDirectMessages: boolean;
}

/** Permissions of the sender and the state of the conversation (D4). */
export interface DirectMessageFacts {
  readonly sender: Pick<DirectRecipient, 'isBot' | 'mayUseDirectMessages'>;
  /** Whether the group of the permission is `role:nobody`. */
  readonly isDisabled: boolean;
  /** Whether the sender is in `direct_message_initiator_group`, or the conversation has begun already. */
  readonly maySendFirst: boolean;
}

/**
 * Requires that a participant may use direct messages, and that a new conversation is begun by a user who may begin
 * one. Bots may write to all users; all users may write to bots and to themselves.
 */
export function requireOpenConversation(
  senderId: number,
  recipients: readonly DirectRecipient[],
  { sender, isDisabled, maySendFirst }: DirectMessageFacts,
): void {
  if (sender.isBot || recipients.every(({ id, isBot }) => isBot || id === senderId)) return;
  const isAuthorized = sender.mayUseDirectMessages || recipients.some((recipient) => recipient.mayUseDirectMessages);
  if (!isAuthorized) refuse(isDisabled ? 'DIRECT_MESSAGES_DISABLED' : 'CONVERSATION_NOT_AUTHORIZED');
  if (!maySendFirst) refuse('MAY_NOT_BEGIN_CONVERSATION');
}
