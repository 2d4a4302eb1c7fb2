import { START } from '../../../../platform/kernel/position.js';
import { NEWEST } from './message-page.js';
import type { MessageView } from './message-view.js';
import type { Messages } from './messages-for.js';
import { scanMessages } from './scan-messages.js';

/**
 * Id of the oldest message of the view; NEWEST if there is none.
 * @param unread the view of unread messages
 */
export async function firstUnread(collection: Messages, unread: MessageView): Promise<number> {
  const [first] = await scanMessages(collection, unread, { window: { from: START, to: null }, direction: 1, limit: 1 });
  return first?._id ?? NEWEST;
}
