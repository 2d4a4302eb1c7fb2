import type { MessageDocument } from '../../../../projections/messages.projection.js';
import type { Directory } from '../../../directory/directory.js';
import type { UserRecord } from '../../../directory/directory.records.js';
import { mentionFlags } from '../../../messages/queries/call-flags.js';
import { calleeLanes } from '../../../messages/queries/callee-lanes.js';
import { isInHistory } from '../../../messages/queries/readable-messages.js';
import type { Messages } from './received-messages.js';

const PAGE = 500;

/**
 * Which of the unread messages call their reader, ascending: as one of all only where they have not muted the topic.
 * Looked for among what may call them, from the newest to the oldest that is unread.
 *
 * @param mutes asked where that makes a difference
 */
export async function unreadMentions(
  messages: Messages,
  unread: ReadonlySet<number>,
  reader: UserRecord,
  directory: Directory,
  mutes: () => Promise<(message: MessageDocument) => boolean>,
): Promise<number[]> {
  const oldest = [...unread].reduce((least, id) => Math.min(least, id), Number.MAX_SAFE_INTEGER);
  const callees = calleeLanes(reader, directory).map(({ value }) => value);
  const named: number[] = [];
  const amongAll: MessageDocument[] = [];
  for (let before = unread.size === 0 ? null : Number.MAX_SAFE_INTEGER; before !== null; ) {
    const page: MessageDocument[] = await messages.find(
      { callees: { $in: callees }, sentPosition: { $lt: before } },
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
