import type { MessageEdited } from '../../../events/messages/message.events.js';
import { type MessageSent, messageIdAt, type Recipient } from '../../../events/messages/messages.events.js';
import type { Recorded } from '../../../platform/kernel/event.js';
import { isKeyMissing } from '../../../platform/kernel/key-missing.js';

/** The field with the only account that has the words of an event. */
type Writer = 'userId' | 'ownerId' | 'inviterId';

/**
 * Who has an event's sealed words from the audit. `message`: every auditor, and who is not part of the conversation leaves
 * a trace. `auditors`: every auditor. `nobody`: they have secrets, or are of somebody without an account.
 */
type Access = 'message' | 'auditors' | 'nobody' | { readonly only: Writer };

const OWN: Access = { only: 'userId' };

/** By stored type: every event with sealed words has a row. */
export const WORDS: Readonly<Record<string, Access>> = {
  MessageSent: 'message',
  MessageEdited: 'message',
  UserStatusTextSet: 'auditors',
  UserStatusTextReplaced: 'auditors',
  LoginFailed: 'auditors',
  OperatorActed: 'auditors',
  DraftCreated: OWN,
  DraftEdited: OWN,
  MessageScheduled: OWN,
  ScheduledMessageEdited: OWN,
  ReminderSet: OWN,
  SavedSnippetCreated: OWN,
  SavedSnippetEdited: OWN,
  BotStorageEntryAdded: OWN,
  BotStorageEntryReplaced: OWN,
  EmailChangeRequested: OWN,
  FileUploaded: { only: 'ownerId' },
  InvitationSent: { only: 'inviterId' },
  InvitationLinkCreated: { only: 'inviterId' },
  JoinConfirmationSent: 'nobody',
  InvitationAccepted: 'nobody',
  BotWebhookSet: 'nobody',
  BotWebhookReplaced: 'nobody',
  PushDeviceRegistered: 'nobody',
  PushTokenAdded: 'nobody',
};

/** Whether an auditor has the sealed words of the event, while their key is there. @param auditorId null: no account */
export function hasWords(auditorId: number | null, { type, data }: Pick<Recorded, 'type' | 'data'>): boolean {
  const access = WORDS[type] ?? 'nobody';
  if (typeof access === 'string') return access !== 'nobody';
  return Reflect.get(data, access.only) === auditorId;
}

/** A message with words, and its conversation as of the event. */
export interface MessageWords {
  readonly messageId: number;
  readonly place: Recipient;
}

/** The message whose words the event still has; null: there are none. */
export function messageWords(event: Recorded): MessageWords | null {
  if (!hasContent(event) || event.data.content === null || isKeyMissing(event.data.content)) return null;
  return event.type === 'MessageSent'
    ? { messageId: messageIdAt(event.revision), place: event.data.recipient }
    : { messageId: event.data.messageId, place: event.data.place };
}

const hasContent = (event: Recorded): event is Recorded<MessageSent> | Recorded<MessageEdited> =>
  WORDS[event.type] === 'message';
