import type { MessageDocument } from '../../../projections/messages.projection.js';
import { START } from '../../kernel/position.js';
import { NEWEST } from './message-page.js';
import type { MessageView } from './message-view.js';
import { type Messages, scanMessages } from './scan-messages.js';

/**
 * Id of the oldest message of the view that the reader has not read, NEWEST where all are read.
 *
 * @param view of the reader's own history: what was not sent to them is not unread
 * @param isRead what the reader has read, known for all of the view before the search starts
 */
export async function firstUnread(
  collection: Messages,
  view: MessageView,
  isRead: (message: MessageDocument) => boolean,
): Promise<number> {
  const unread: MessageView = { ...view, includes: (message) => !isRead(message) && view.includes(message) };
  const [first] = await scanMessages(collection, unread, {
    window: { from: START, to: null },
    direction: 1,
    limit: 1,
  });
  return first?._id ?? NEWEST;
}
