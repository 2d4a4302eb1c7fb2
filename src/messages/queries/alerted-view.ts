import { setImmediate } from 'node:timers/promises';
import { tokenize } from '../../document-store/tokenize.js';
import type { OwnFlags } from '../../read-state/queries/own-flags.js';
import type { Narrow } from '../domain/narrow-resolve.js';
import type { MessageView } from './message-view.js';
import { ALL } from './readable-messages.js';
import type { Messages } from './scan-messages.js';

/** Above so many messages with a word, what the reader looks at anyway has one often enough. */
const RARE = 2000;
/** Each is a place of its own to look at. */
const MOST_IDS = 20_000;

/**
 * A view to messages with alert words: those that hold one, by the index of words, instead of everything that the reader
 * has. A word of which the index knows nothing, and one that is everywhere, is looked for as before.
 */
export async function alertedView(
  messages: Messages,
  { required }: Narrow,
  own: MessageView,
  { alertWords }: OwnFlags,
): Promise<MessageView> {
  if ('$text' in own.where || !required.some(({ kind }) => kind === 'alerted')) return own;
  const ids = new Set<number>();
  for (const phrase of new Set(alertWords.map(({ word }) => tokenize(word).join(' ')))) {
    if (phrase === '') return own;
    const found = await messages.find(
      { $text: { $search: `"${phrase}"` } },
      { sort: { _id: -1 }, limit: RARE + 1, projection: { _id: 1 } },
    );
    if (found.length > RARE) return own;
    for (const { _id } of found) ids.add(_id);
    if (ids.size > MOST_IDS) return own;
    // A thousand words take a while: others have their turn.
    await setImmediate();
  }
  return { ...own, lanes: [...ids].map((value) => ({ field: '_id', value, reach: ALL })) };
}
