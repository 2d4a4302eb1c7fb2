import type { ClientEvent, Registered, StoredDraft } from '../../platform/client-events.js';
import type { Place } from '../../platform/places.js';
import { addresseesOf, type Conversation, direct, keyOf, topic } from '../../platform/state/conversation.js';

/** Where one can write; in a channel, to a topic that one names. */
export type WritingPlace = Conversation | { readonly kind: 'channel'; readonly channelId: number };

export const isWritingPlace = (place: Place): place is WritingPlace =>
  place.kind === 'topic' || place.kind === 'direct' || place.kind === 'channel';

/** One's own drafts as the server has them, by id. */
export type StoredDrafts = ReadonlyMap<number, StoredDraft>;

/** A draft as the server is sent it. */
export type DraftBody = Pick<StoredDraft, 'type' | 'to' | 'topic' | 'content'>;

const byId = (drafts: readonly StoredDraft[]): StoredDrafts => new Map(drafts.map((draft) => [draft.id, draft]));

export const initialDrafts = ({ drafts }: Registered): StoredDrafts => byId(drafts);

export function evolveDrafts(drafts: StoredDrafts, event: ClientEvent): StoredDrafts {
  if (event.type !== 'drafts') return drafts;
  switch (event.op) {
    case 'add':
      return new Map([...drafts, ...byId(event.drafts)]);
    case 'update':
      return new Map([...drafts, ...byId([event.draft])]);
    case 'remove':
      return new Map([...drafts].filter(([id]) => id !== event.draft_id));
  }
}

/** The last edited first. */
export const newestFirst = (drafts: StoredDrafts): readonly StoredDraft[] =>
  [...drafts.values()].sort((a, b) => b.timestamp - a.timestamp || b.id - a.id);

interface Written {
  readonly content: string;
  /** Counts at a channel alone; elsewhere the place has it. */
  readonly topic: string;
}

/** @returns null: there is nothing to keep */
export function bodyOf(place: WritingPlace, { content: words, topic: name }: Written, myId: number): DraftBody | null {
  // As the server does.
  const content = words.trimEnd().replace(/^\n+/, '');
  if (content === '') return null;
  if (place.kind === 'direct') return { type: 'private', to: addresseesOf(place.userIds, myId), topic: '', content };
  const topicName = place.kind === 'topic' ? place.topic : name.trim();
  return { type: 'stream', to: [place.channelId], topic: topicName, content };
}

/** Equal for equal drafts of a place; the server may write the topic in another way. */
export function stampOf(place: WritingPlace, draft: DraftBody | null): string {
  if (draft === null) return '';
  return place.kind === 'channel' ? `${draft.topic.trim().toLowerCase()}\n${draft.content}` : draft.content;
}

/** @returns null: it is addressed to nobody yet */
export function conversationOfDraft({ type, to, topic: name }: DraftBody, myId: number): Conversation | null {
  if (type === 'private') return direct(to, myId);
  return type === 'stream' && to[0] !== undefined ? topic(to[0], name) : null;
}

export function isOfPlace(draft: DraftBody, place: WritingPlace, myId: number): boolean {
  const conversation = conversationOfDraft(draft, myId);
  if (place.kind === 'channel') return conversation?.kind === 'topic' && conversation.channelId === place.channelId;
  return conversation !== null && keyOf(conversation) === keyOf(place);
}
