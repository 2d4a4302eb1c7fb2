import type { MessageContent, MessageSent, Recipient } from '../../../events/messages/messages.events.js';
import { NOTIFICATION_BOT } from '../../../events/shared/system-bots.js';

/** A direct message from an account of the server's own, which is unread for its reader. */
export const directNotice = (readerId: number, content: MessageContent, sender = NOTIFICATION_BOT): MessageSent =>
  noticeIn({ type: 'direct', userIds: [readerId, sender.id].sort((a, b) => a - b) }, content, sender);

/** A message from an account of the server's own, which is unread for its readers. */
export const noticeIn = (recipient: Recipient, content: MessageContent, sender = NOTIFICATION_BOT): MessageSent => ({
  type: 'MessageSent',
  data: { senderId: sender.id, recipient, readBySender: true, localEcho: null, sendKey: null, content },
});
