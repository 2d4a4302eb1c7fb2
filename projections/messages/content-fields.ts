import type { HasKind } from '../../src/events/messages/has.settings.js';
import type { Mentions, MessageContent, Recipient } from '../../src/events/messages/messages.events.js';
import { DEFAULT_LANGUAGE } from '../../src/platform/documents/languages.js';
import { tokenize, visibleText } from '../../src/platform/documents/tokenize.js';

/** Fields of a message's document about its current content. All of them follow from the event's content. */
export interface ContentFields {
  /** The source; null once the message's key has been destroyed. */
  readonly text: string | null;
  /** The HTML; null as `text` is. */
  readonly rendered: string | null;
  /** The code of the words' language: the organization's `default_language` as of the content; absent: English. */
  readonly language?: string;
  /** Words of the source that the HTML does not show, in addresses for example; absent without any. */
  readonly unseen?: readonly string[];
  /** Kinds of things in the content, and `reaction`; absent if there are none. */
  readonly has?: readonly HasKind[];
  /** The mentioned users and groups; absent without any. */
  readonly mentions?: Mentions;
  /** The mentions for an index, as `mentionedAs` names them: readers find their mentions by a few names. */
  readonly callees?: readonly string[];
}

/** Names in the field `callees`. */
export const mentionedAs = {
  user: (userId: number): string => `u${userId}`,
  group: (groupId: number): string => `g${groupId}`,
  /** A user mentioned as a participant of a conversation or a topic. */
  participant: (userId: number): string => `p${userId}`,
  /** Everyone who was subscribed to the channel when the message was sent. */
  channel: (channelId: number): string => `c${channelId}`,
  /** The subscribers of any channel: for readers of very many channels. */
  anyChannel: 'c',
};

/**
 * The fields of sent content, or of edited content.
 * @param sentTo the place that the message was sent to
 */
export function contentFields(content: MessageContent | null, sentTo: Recipient, language: string): ContentFields {
  const { text = null, rendered = null, mentions } = content ?? {};
  const has = kindsIn(rendered ?? '');
  const unseen = unseenWords(text ?? '', rendered ?? '');
  return {
    text,
    rendered,
    ...(language !== DEFAULT_LANGUAGE && { language }),
    ...(unseen.length > 0 && { unseen }),
    ...(has.length > 0 && { has }),
    ...(mentions && { mentions, callees: mentionedIn(mentions, sentTo) }),
  };
}

/** Replaces all content fields of a document. */
export function withContent<D extends ContentFields>(
  document: D,
  content: ContentFields,
): Omit<D, keyof ContentFields> & ContentFields {
  const { text, rendered, language, unseen, has, mentions, callees, ...rest } = document;
  return { ...rest, ...content };
}

const LINK = /<a\b[^>]*\shref="([^"]*)"[^>]*>/g;
/** Links that the renderer makes of names: of channels, topics and messages. */
const OF_A_NAME = /\sclass="(?:stream|stream-topic|message-link)"/;
/** Pictures, except the small ones of emoji and of people. */
const PICTURE = /<img\b(?![^>]*\sclass="(?:emoji|[^"]*avatar)")|<div class="message_inline_image">/;
const UPLOAD = /^(?:https?:\/\/[^/]+)?\/?user_uploads\//;
/** The player of an uploaded sound. */
const SOUND = /<audio\b/;
const PICTURE_FILE = /\.(?:avif|bmp|gif|heic|jpe?g?|png|tiff?|webp)$/i;

/** Finds kinds in the stored HTML, so that the answer is the same for content of any age. */
function kindsIn(rendered: string): HasKind[] {
  const links = [...rendered.matchAll(LINK)].filter(([tag]) => !OF_A_NAME.test(tag)).map(([, href = '']) => href);
  const uploads = links.filter((href) => UPLOAD.test(href));
  return [
    ...(links.length > 0 ? (['link'] as const) : []),
    ...(PICTURE.test(rendered) || uploads.some((href) => PICTURE_FILE.test(href)) ? (['image'] as const) : []),
    ...(uploads.length > 0 || SOUND.test(rendered) ? (['attachment'] as const) : []),
  ];
}

function unseenWords(text: string, rendered: string): string[] {
  // Most messages are one paragraph of plain words.
  if (rendered === `<p>${text}</p>`) return [];
  const seen = new Set(tokenize(visibleText(rendered)));
  return [...new Set(tokenize(text))].filter((word) => !seen.has(word));
}

/** Adds or removes the kind `reaction`. */
export function withReactions<D extends ContentFields>({ has = [], ...rest }: D, isReactedTo: boolean) {
  const others = has.filter((kind) => kind !== 'reaction');
  const now: readonly HasKind[] = isReactedTo ? [...others, 'reaction'] : others;
  return { ...rest, ...(now.length > 0 && { has: now }) };
}

function mentionedIn(
  { userIds = [], groupIds = [], wildcards = [], participantIds = [] }: Mentions,
  sentTo: Recipient,
): string[] {
  const everybody = wildcards.includes('stream')
    ? sentTo.type === 'channel'
      ? [mentionedAs.channel(sentTo.channelId), mentionedAs.anyChannel]
      : sentTo.userIds.map(mentionedAs.participant)
    : [];
  const participants = participantIds.map(mentionedAs.participant);
  return [...userIds.map(mentionedAs.user), ...groupIds.map(mentionedAs.group), ...everybody, ...participants];
}
