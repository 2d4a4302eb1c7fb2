import type { MessageDocument } from '../../../../projections/messages/messages.projection.js';
import type { Directory } from '../../../directory/directory.js';
import type { UserRecord } from '../../../directory/directory.records.js';
import { isInHistory } from '../../../directory/readable-messages.js';
import { mentionFlags } from '../../message-flags/queries/content-flags.js';
import { mentionScans } from '../../messages/queries/reading/mention-scans.js';
import type { Messages } from '../../messages/register/received-messages.js';

const PAGE = 500;

/**
 * Ids of unread messages that mention their reader, ascending; mentions by a wildcard only if the topic is not muted.
 * Reads the messages that may mention the reader, from the newest to the oldest unread one.
 *
 * @param mutes called only if it makes a difference
 */
export async function unreadMentions(
  messages: Messages,
  unread: ReadonlySet<number>,
  reader: UserRecord,
  directory: Directory,
  mutes: () => Promise<(message: MessageDocument) => boolean>,
): Promise<number[]> {
  const oldest = [...unread].reduce((least, id) => Math.min(least, id), Number.MAX_SAFE_INTEGER);
  const names = mentionScans(reader, directory).map(({ value }) => value);
  const named: number[] = [];
  const amongAll: MessageDocument[] = [];
  for (let before = unread.size === 0 ? null : Number.MAX_SAFE_INTEGER; before !== null; ) {
    const page: MessageDocument[] = await messages.find(
      { callees: { $in: names }, sentPosition: { $lt: before } },
      { sort: { sentPosition: -1 }, limit: PAGE },
    );
    for (const message of page) {
      if (!unread.has(message._id) || !isInHistory(reader, message, directory)) continue;
      const flags = mentionFlags(reader, message, directory);
      if (flags.includes('mentioned')) named.push(message._id);
      else if (flags.length > 0) amongAll.push(message);
    }
    const last = page.at(-1);
    before = last && page.length === PAGE && last._id > oldest ? last.sentPosition : null;
  }
  if (amongAll.length > 0) {
    const isMuted = await mutes();
    for (const message of amongAll) if (!isMuted(message)) named.push(message._id);
  }
  return named.sort((a, b) => a - b);
}
