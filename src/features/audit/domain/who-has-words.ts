import { eventRegistry } from '../../../events/event-registry.js';
import type { MessageEdited } from '../../../events/messages/message.events.js';
import { type MessageSent, messageIdAt, type Recipient } from '../../../events/messages/messages.events.js';
import type { Recorded } from '../../../platform/kernel/event.js';
import { isKeyMissing } from '../../../platform/kernel/key-missing.js';

/** Whether an auditor has the sealed words of the event, while their key is there. @param auditorId null: no account */
export function hasWords(auditorId: number | null, { type, data }: Pick<Recorded, 'type' | 'data'>): boolean {
  const shownTo = shownToOf(type);
  if (typeof shownTo === 'string') return shownTo !== 'nobody';
  return Reflect.get(data, shownTo.only) === auditorId;
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
  shownToOf(event.type) === 'message';

const shownToOf = (type: string) => eventRegistry.get(type)?.sealed?.shownTo ?? 'nobody';
