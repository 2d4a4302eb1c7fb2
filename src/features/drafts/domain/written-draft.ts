import type { DraftHead, DraftRecipient, DraftWords } from '../../../events/drafts/drafts.events.js';
import { shortenedTopic } from '../../../events/messages/topic-name.js';
import { refuse } from '../../../platform/kernel/deciding.js';
import { shortened } from '../../../platform/kernel/text.js';
import { CUT_TEXT } from '../../messages/domain/message-content.js';

/** A draft as a client sends it. */
export interface WrittenDraft {
  readonly type: 'channel' | 'direct' | 'unaddressed';
  readonly to: readonly number[];
  readonly topic: string;
  readonly content: string;
  /** Seconds since 1970; null: now. */
  readonly timestamp: number | null;
}

/** Facts that drafts are read with. */
export interface DraftFacts {
  readonly now: number;
  /** In Unicode code points. */
  readonly longestText: number;
  /** Ids of the named channels that the user reads and that are not archived. */
  readonly channelIds: ReadonlySet<number>;
  /** The named users, by id. */
  readonly people: ReadonlyMap<number, { readonly email: string; readonly isActive: boolean }>;
}

interface ReadDraft extends DraftHead {
  readonly words: DraftWords;
}

/** Reads a draft as a client sends it. @throws DomainError for the first fault */
export function readDraft(draft: WrittenDraft, userId: number, facts: DraftFacts): ReadDraft {
  const text = shortened(draft.content.trimEnd().replace(/^\n+/, ''), facts.longestText, CUT_TEXT);
  if (text === '') refuse('MESSAGE_EMPTY');
  if (text.includes('\0')) refuse('MESSAGE_HAS_NULL_BYTES');
  const { timestamp } = draft;
  if (timestamp !== null && timestamp < 0) refuse('DRAFT_TIMESTAMP_NEGATIVE');
  const editedAt = timestamp === null ? facts.now : Math.floor(timestamp * 1000);
  const recipient = recipientOf(draft, userId, facts);
  const topic = recipient.type === 'channel' ? shortenedTopic(draft.topic) : '';
  return { recipient, editedAt, words: { topic, text } };
}

function recipientOf({ type, to, topic }: WrittenDraft, userId: number, facts: DraftFacts): DraftRecipient {
  if (type === 'channel') {
    if (topic.includes('\0')) refuse('TOPIC_HAS_NULL_BYTES');
    const [channelId, ...more] = to;
    if (channelId === undefined || more.length > 0) return refuse('DRAFT_NEEDS_ONE_CHANNEL');
    if (!facts.channelIds.has(channelId)) refuse('INVALID_CHANNEL_ID');
    return { type, channelId };
  }
  if (type === 'unaddressed' || to.length === 0) return { type: 'unaddressed' };
  const named = [...new Set(to)];
  const known = named.map((id) => facts.people.get(id) ?? refuse('INVALID_USER_ID', { userId: id }));
  const deactivated = known.find(({ isActive }) => !isActive);
  if (deactivated) refuse('RECIPIENT_DEACTIVATED', { email: deactivated.email });
  const others = named.filter((id) => id !== userId).sort((a, b) => a - b);
  return { type: 'direct', userIds: others.length > 0 ? others : [userId] };
}
