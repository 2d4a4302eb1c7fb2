import type { Message } from './client-events.js';
import { type Term, termsOf } from './search-terms.js';
import { type Conversation, conversationOf, keyOf } from './state/conversation.js';

/** What the middle of the page shows; its address is behind the `#`. */
export type Place = MessagePlace | { readonly kind: 'drafts' | 'scheduled' };

/** A place that shows messages. */
export type MessagePlace =
  | Conversation
  | { readonly kind: 'channel'; readonly channelId: number }
  | { readonly kind: 'recent' | 'mentions' | 'starred' }
  | { readonly kind: 'search'; readonly words: string };

const NUMBER = /^\d{1,15}$/;
const NUMBERS = /^\d{1,15}(,\d{1,15})*$/;

/** @param route decoded parts of the address. @returns null: no place has it */
export function placeOf([kind, of = '', part, name = '', ...more]: readonly string[]): Place | null {
  if (more.length > 0) return null;
  if (kind === undefined || (kind === 'recent' && of === '')) return { kind: 'recent' };
  if ((kind === 'mentions' || kind === 'starred') && of === '') return { kind };
  if ((kind === 'drafts' || kind === 'scheduled') && of === '') return { kind };
  if (kind === 'search' && part === undefined) return { kind, words: of };
  if (kind === 'direct' && part === undefined && (of === '' || NUMBERS.test(of)))
    return { kind, userIds: of === '' ? [] : of.split(',').map(Number) };
  if (kind !== 'channels' || !NUMBER.test(of)) return null;
  if (part === undefined) return { kind: 'channel', channelId: Number(of) };
  return part === 'topics' ? { kind: 'topic', channelId: Number(of), topic: name } : null;
}

export function hrefOf(place: Place): string {
  switch (place.kind) {
    case 'topic':
      return `#/channels/${place.channelId}/topics/${encodeURIComponent(place.topic)}`;
    case 'channel':
      return `#/channels/${place.channelId}`;
    case 'direct':
      return `#/direct/${place.userIds.join()}`;
    case 'search':
      return `#/search/${encodeURIComponent(place.words)}`;
    default:
      return `#/${place.kind}`;
  }
}

/** The messages of a place, as the API is asked for them. */
export function narrowOf(place: MessagePlace, myId: number): readonly Term[] {
  switch (place.kind) {
    case 'topic':
      return [
        { operator: 'channel', operand: place.channelId },
        { operator: 'topic', operand: place.topic },
      ];
    case 'channel':
      return [{ operator: 'channel', operand: place.channelId }];
    case 'direct':
      return [{ operator: 'dm', operand: place.userIds.length === 0 ? [myId] : place.userIds }];
    case 'mentions':
      return [{ operator: 'is', operand: 'mentioned' }];
    case 'starred':
      return [{ operator: 'is', operand: 'starred' }];
    case 'search':
      return termsOf(place.words);
    case 'recent':
      return [];
  }
}

/** The message that a search is to begin at; null: it names none. */
export function nearOf(place: MessagePlace): number | null {
  const near = place.kind === 'search' ? termsOf(place.words).find(({ operator }) => operator === 'near') : undefined;
  const id = String(near?.operand);
  return NUMBER.test(id) ? Number(id) : null;
}

/** Whether a message is of a place; null: only the server can tell. */
export function contains(place: MessagePlace, message: Message, myId: number): boolean | null {
  switch (place.kind) {
    case 'topic':
    case 'direct':
      return keyOf(conversationOf(message, myId)) === keyOf(place);
    case 'channel':
      return message.type === 'stream' && message.stream_id === place.channelId;
    case 'mentions':
      return message.flags.some((flag) => flag === 'mentioned' || flag.endsWith('_wildcard_mentioned'));
    case 'starred':
      return message.flags.includes('starred');
    case 'recent':
      return true;
    case 'search':
      return null;
  }
}
