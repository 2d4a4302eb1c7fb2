import type { PastContent } from '../../../../../projections/messages/message-events.js';
import type { MessageDocument } from '../../../../../projections/messages/messages.projection.js';
import type { FieldProjection } from '../../../../platform/documents/document-store.js';
import { nextSlice } from '../../../../platform/kernel/slices.js';
import type { Messages } from '../reading/messages-for.js';
import { shownContents } from './edit-history.js';

/** Reads messages without their past contents, which may take megabytes a message. */
export const WITHOUT_PAST: FieldProjection = { pastWords: 0 };

/** Messages whose past contents are in memory at once: all contents of a message have 2,000,000 characters at most. */
const AT_ONCE = 4;

/**
 * Adds the past contents that records show to messages that were read without them.
 * @returns the messages in their order; a message that has been deleted meanwhile is left out
 */
export async function withShownPast(
  messages: Messages,
  read: readonly MessageDocument[],
): Promise<readonly MessageDocument[]> {
  const edited = read.filter(({ wordsPosition }) => wordsPosition !== undefined).map(({ _id }) => _id);
  if (edited.length === 0) return read;
  const pasts = new Map<number, readonly PastContent[]>();
  const wordsPositions = new Map(read.map(({ _id, wordsPosition = 0 }) => [_id, wordsPosition]));
  for (let at = 0; at < edited.length; at += AT_ONCE) {
    if (at > 0) await nextSlice();
    const found = await messages.find(
      { _id: { $in: edited.slice(at, at + AT_ONCE) } },
      { projection: { pastWords: 1 } },
    );
    for (const { _id, pastWords = [] } of found) {
      // The message may have been edited since it was read.
      const known = pastWords.filter(({ position }) => position <= (wordsPositions.get(_id) ?? 0));
      // One more than records show tells them that older changes are left out.
      pasts.set(_id, known.slice(-shownContents(known).length - 1));
    }
  }
  return read.flatMap((message) => {
    if (message.wordsPosition === undefined) return message;
    const pastWords = pasts.get(message._id);
    return pastWords ? { ...message, pastWords } : [];
  });
}
