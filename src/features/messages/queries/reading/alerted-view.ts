import { ALL } from '../../../../directory/readable-messages.js';
import { tokenize } from '../../../../platform/documents/tokenize.js';
import { nextSlice } from '../../../../platform/kernel/slices.js';
import type { OwnFlags } from '../../../message-flags/queries/own-flags.js';
import type { Narrow } from '../../../narrow/domain/narrow-resolve.js';
import type { MessageView } from './message-view.js';
import type { Messages } from './messages-for.js';

/** Greatest number of messages with a word: a more frequent word is found fast enough in the reader's own messages. */
const MOST_MATCHES = 2000;
/** Greatest number of ids: each is an index scan of its own. */
const MOST_IDS = 20_000;

/**
 * A view of messages with alert words: finds them by the text index, instead of reading all of the reader's messages.
 * Words that are unknown to the index, or too frequent, leave the view as it is.
 */
export async function alertedView(
  messages: Messages,
  { required }: Narrow,
  own: MessageView,
  { alertWords, directory }: OwnFlags,
): Promise<MessageView> {
  if ('$text' in own.where || !required.some(({ kind }) => kind === 'alerted')) return own;
  const ids = new Set<number>();
  const $languages = directory.searchLanguages();
  for (const words of new Set(alertWords.map(({ word }) => tokenize(word).join(' ')))) {
    if (words === '') return own;
    const isSeen = { $text: { $search: words, $languages } };
    // Alert words count in the source of a message, the index has the text that is shown.
    const isUnseen = { unseen: { $in: words.split(' ') } };
    for (const filter of [isSeen, isUnseen]) {
      const options = { sort: { _id: -1 }, limit: MOST_MATCHES + 1, projection: { _id: 1 } } as const;
      const found = await messages.find(filter, options);
      if (found.length > MOST_MATCHES) return own;
      for (const { _id } of found) ids.add(_id);
    }
    if (ids.size > MOST_IDS) return own;
    // Lets other requests run: a thousand words take a while.
    await nextSlice();
  }
  return { ...own, scans: [...ids].map((value) => ({ field: '_id', value, reach: ALL })), order: '_id' };
}
