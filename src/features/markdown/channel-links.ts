import { EMPTY_TOPIC_DISPLAY_NAME } from '../../events/messages/topic-name.js';
import type { Linkifier } from '../../events/organization/organization.settings.js';
import { LruMap } from '../../platform/kernel/lru-map.js';
import { matchesOf } from './linkifiers.js';
import { hrefFor } from './links.js';
import { type InlineRule, replaced } from './rule.js';
import { element, type Node } from './tree.js';
import { addressesIn } from './web-address.js';

const LINK = /(?<![^\s'"({[|/<])#\*\*([^*>]+)(?:>([^*]*))?\*\*/g;
const AT_MESSAGE = /^(.*)@(\d+)$/s;

/** `#**channel**`, `#**channel>topic**` and `#**channel>topic@message**`: links to channels that the writer sees. */
export const channelLinks: InlineRule = (words, { stash, writing }) => {
  if (!words.includes('#**')) return words;
  return replaced(words, LINK, ([, called = '', target]) => {
    const name = stash.asWritten(called);
    const place = target === undefined ? undefined : stash.asWritten(target);
    const inChannel = writing.names.channel(name);
    // A channel's name may hold the sign that stands before a topic.
    const channel = inChannel ?? (place === undefined ? undefined : writing.names.channel(`${name}>${place}`));
    if (!channel) return null;
    const behind = inChannel ? place : undefined;
    const to = channelAddress(channel);
    const [, named, messageId] = AT_MESSAGE.exec(behind ?? '') ?? [];
    const topic = named ?? behind;
    const id = { 'data-stream-id': String(channel.id) };
    if (topic === undefined) return stash.put(element('a', { class: 'stream', ...id, href: to }, [`#${channel.name}`]));
    const shown: Node[] = [`#${channel.name} > `, topicShown(topic)];
    if (messageId !== undefined) {
      const href = channelMessageAddress(channel, topic, messageId);
      return stash.put(element('a', { class: 'message-link', href }, [...shown, ' @ 💬']));
    }
    const newest = channel.newestIn(topic);
    const href = `${to}/topic/${inHash(topic)}${newest === null ? '' : `/with/${newest}`}`;
    return stash.put(element('a', { class: 'stream-topic', ...id, href }, shown));
  });
};

const topicShown = (topic: string): Node => (topic === '' ? element('em', {}, [EMPTY_TOPIC_DISPLAY_NAME]) : topic);

const channelAddress = ({ id, name }: { readonly id: number; readonly name: string }): string =>
  `/#narrow/channel/${id}-${inHash(name.replaceAll(' ', '-'))}`;

/** The address of a message in a channel. */
export const channelMessageAddress = (
  channel: Parameters<typeof channelAddress>[0],
  topic: string,
  id: number | string,
): string => `${channelAddress(channel)}/topic/${inHash(topic)}/near/${id}`;

/** The address of a direct message. @param userIds of everyone in the conversation */
export const directMessageAddress = (userIds: readonly number[], id: number): string =>
  `/#narrow/dm/${userIds.join(',')}-${userIds.length > 2 ? 'group' : 'dm'}/near/${id}`;

/** Matches characters in names that would end such a link, or change its meaning. */
const BREAKS_LINK = /[*>`[\]&<\\]|\$\$|@\d+$/;

/** Markdown that links to a topic, and nothing else, whatever the names of the topic and its channel. */
export function topicLink(channel: { readonly id: number; readonly name: string }, topic: string): string {
  if (![channel.name, topic].some((name) => BREAKS_LINK.test(name))) return `#**${channel.name}>${topic}**`;
  const shown = `#${channel.name} > ${topic === '' ? EMPTY_TOPIC_DISPLAY_NAME : topic}`;
  const plain = shown.replace(/[!-/:-@[-`{-~]/g, (character) => `&#${character.charCodeAt(0)};`);
  return `[${plain}](${channelAddress(channel)}/topic/${inHash(topic)})`;
}

/** A name as clients encode it in the fragment of an address. */
function inHash(name: string): string {
  const encoded = encodeURIComponent(name.replace(/\p{Surrogate}/gu, '\ufffd'));
  return encoded
    .replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('.', '%2E')
    .replaceAll('%', '.');
}

/** A link in a topic's name. It leads where the same text in a message does, and so to nothing executable. */
export interface TopicLink {
  readonly text: string;
  readonly url: string;
}

const MOST_REMEMBERED = 2_000;

const remembered = new WeakMap<readonly Linkifier[], LruMap<string, readonly TopicLink[]>>();

/**
 * The links in a topic, in order of its text. Of overlapping links, the link of the earlier linkifier stays. Bare
 * addresses have the lowest precedence. Links are cached by topic: the messages of a page have few topics.
 */
export function topicLinks(topic: string, linkifiers: readonly Linkifier[]): readonly TopicLink[] {
  if (topic === '') return [];
  const known = remembered.get(linkifiers) ?? new LruMap<string, readonly TopicLink[]>(MOST_REMEMBERED);
  remembered.set(linkifiers, known);
  const links = known.get(topic);
  if (links) return links;
  const found = linksIn(topic, linkifiers);
  known.set(topic, found);
  return found;
}

function linksIn(topic: string, linkifiers: readonly Linkifier[]): readonly TopicLink[] {
  const links: (TopicLink & { readonly from: number })[] = [];
  const add = (text: string, url: string, from: number): void => {
    const overlaps = links.some((link) => from < link.from + link.text.length && link.from < from + text.length);
    if (!overlaps) links.push({ text, url, from });
  };
  for (const linkifier of linkifiers) {
    for (const { found, url, from } of matchesOf(linkifier, topic)) {
      if (hrefFor(url, null) !== null) add(found, url, from);
    }
  }
  for (const { 0: word, index } of topic.matchAll(/[^ !;),'"]+/g)) {
    const [address] = addressesIn(word);
    if (address) add(address.url, withScheme(address.url), index + address.from);
  }
  return links.sort((a, b) => a.from - b.from).map(({ text, url }) => ({ text, url }));
}

const withScheme = (address: string): string => (/^(?:https?|bitcoin):/.test(address) ? address : `https://${address}`);
