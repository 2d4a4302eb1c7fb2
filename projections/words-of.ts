import type { HasKind } from '../src/messages/domain/has.settings.js';
import type { Mentions, MessageContent, Recipient } from '../src/messages/domain/messages.events.js';

/** What a message's document says of its words as they are now; all of it follows from what the event holds. */
export interface WordsFields {
  /** What is written there, and its HTML; null once the message's key has been destroyed. */
  readonly text: string | null;
  readonly rendered: string | null;
  /** What is in them, and reactions; absent where there is nothing. */
  readonly has?: readonly HasKind[];
  /** Whom they call; absent where that is nobody. */
  readonly mentions?: Mentions;
  /** The same as an index has it: a reader finds what calls them by the few names that they go by. */
  readonly callees?: readonly string[];
}

/** Names in `callees`. */
export const calleeOf = {
  user: (userId: number): string => `u${userId}`,
  group: (groupId: number): string => `g${groupId}`,
  /** As one of many: of a conversation, or of a topic. */
  participant: (userId: number): string => `p${userId}`,
  /** Whoever was subscribed to it when the message was sent. */
  channel: (channelId: number): string => `c${channelId}`,
  /** The same of any channel: for who is in very many. */
  anyChannel: 'c',
};

/**
 * The same for words that were sent and for words that took the place of others.
 * @param sentTo where the message was when it was sent
 */
export function wordsFields(content: MessageContent | null, sentTo: Recipient): WordsFields {
  const { text = null, rendered = null, mentions } = content ?? {};
  const has = kindsIn(rendered ?? '');
  return {
    text,
    rendered,
    ...(has.length > 0 && { has }),
    ...(mentions && { mentions, callees: calleesOf(mentions, sentTo) }),
  };
}

/** A document with other words: nothing that told of the former ones is left. */
export function withWords<D extends WordsFields>(
  document: D,
  words: WordsFields,
): Omit<D, keyof WordsFields> & WordsFields {
  const { text, rendered, has, mentions, callees, ...rest } = document;
  return { ...rest, ...words };
}

const LINK = /<a\b[^>]*\shref="([^"]*)"[^>]*>/g;
/** Links that the renderer makes of names: of channels, topics and messages. */
const OF_A_NAME = /\sclass="(?:stream|stream-topic|message-link)"/;
/** Not the small pictures of emoji and of people. */
const PICTURE = /<img\b(?![^>]*\sclass="(?:emoji|[^"]*avatar)")|<div class="message_inline_image">/;
const UPLOAD = /^(?:https?:\/\/[^/]+)?\/?user_uploads\//;
const PICTURE_FILE = /\.(?:avif|bmp|gif|heic|jpe?g?|png|tiff?|webp)$/i;

/** By the HTML, which is stored: the same for words of any age. */
function kindsIn(rendered: string): HasKind[] {
  const links = [...rendered.matchAll(LINK)].filter(([tag]) => !OF_A_NAME.test(tag)).map(([, href = '']) => href);
  const uploads = links.filter((href) => UPLOAD.test(href));
  return [
    ...(links.length > 0 ? (['link'] as const) : []),
    ...(PICTURE.test(rendered) || uploads.some((href) => PICTURE_FILE.test(href)) ? (['image'] as const) : []),
    ...(uploads.length > 0 ? (['attachment'] as const) : []),
  ];
}

/** Beside what the words have: whether anybody has reacted. */
export function withReactions<D extends WordsFields>({ has = [], ...rest }: D, isReactedTo: boolean) {
  const others = has.filter((kind) => kind !== 'reaction');
  const now: readonly HasKind[] = isReactedTo ? [...others, 'reaction'] : others;
  return { ...rest, ...(now.length > 0 && { has: now }) };
}

function calleesOf(
  { userIds = [], groupIds = [], wildcards = [], participantIds = [] }: Mentions,
  sentTo: Recipient,
): string[] {
  const everybody = wildcards.includes('stream')
    ? sentTo.type === 'channel'
      ? [calleeOf.channel(sentTo.channelId), calleeOf.anyChannel]
      : sentTo.userIds.map(calleeOf.participant)
    : [];
  const participants = participantIds.map(calleeOf.participant);
  return [...userIds.map(calleeOf.user), ...groupIds.map(calleeOf.group), ...everybody, ...participants];
}
