import type { AuditWordsRead } from '../../../events/accesses/accesses.events.js';
import type { Recipient } from '../../../events/messages/messages.events.js';

type Read = AuditWordsRead['data'];

/** Words of a message that the auditor reads without being part of its conversation. */
export interface WordsOfOthers {
  readonly messageId: number;
  /** The conversation as of the event and, if a move has changed it, as of today. */
  readonly places: readonly Recipient[];
}

/** Participants that one event names, unless a single conversation has more. */
const MOST_PARTICIPANTS = 10_000;

/** What the log says of words that are read at once. One event, unless the conversations are very large. */
export function wordsRead(all: readonly WordsOfOthers[]): readonly Read[] {
  const parts: WordsOfOthers[][] = [];
  let participants = 0;
  for (const one of all) {
    const own = one.places.reduce((sum, place) => sum + (place.type === 'direct' ? place.userIds.length : 0), 0);
    const part = parts.at(-1);
    if (part && participants + own <= MOST_PARTICIPANTS) part.push(one);
    else parts.push([one]);
    participants = part === parts.at(-1) ? participants + own : own;
  }
  return parts.map(read);
}

function read(part: readonly WordsOfOthers[]): Read {
  const places = part.flatMap((one) => one.places);
  const channelIds = places.flatMap((place) => (place.type === 'channel' ? [place.channelId] : []));
  const conversations = new Map(
    places.flatMap((place) => (place.type === 'direct' ? [[place.userIds.join(), place.userIds] as const] : [])),
  );
  return {
    channelIds: ascending(channelIds),
    conversations: [...conversations.values()],
    messageIds: ascending(part.map(({ messageId }) => messageId)),
    count: part.length,
  };
}

const ascending = (ids: readonly number[]): readonly number[] => [...new Set(ids)].sort((a, b) => a - b);
