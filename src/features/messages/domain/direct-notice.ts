import type { MessageContent, MessageSent, Recipient } from '../../../events/messages/messages.events.js';
import { NOTIFICATION_BOT } from '../../../events/shared/system-bots.js';

/** A direct message from the server's own account, which is unread for its reader. */
export const directNotice = (readerId: number, content: MessageContent): MessageSent =>
  noticeIn({ type: 'direct', userIds: [readerId, NOTIFICATION_BOT.id].sort((a, b) => a - b) }, content);

/** A message from the server's own account, which is unread for its readers. */
export const noticeIn = (recipient: Recipient, content: MessageContent): MessageSent => ({
  type: 'MessageSent',
  data: {
    senderId: NOTIFICATION_BOT.id,
    recipient,
    readBySender: true,
    localEcho: null,
    sendKey: null,
    content,
  },
});
