import type { Linkifier } from '../../events/organization/organization.settings.js';
import { LruMap } from '../../platform/kernel/lru-map.js';
import { hrefFor } from './href.js';
import { matchesOf } from './linkifiers.js';
import { addressesIn } from './web-address.js';

/** A link in a topic's name. It leads where the same text in a message does, and so to nothing executable. */
export interface TopicLink {
  readonly text: string;
  readonly url: string;
}

const MOST_REMEMBERED = 2_000;

const remembered = new WeakMap<readonly Linkifier[], LruMap<string, readonly TopicLink[]>>();

/**
 * The links in a topic, in order of its text. Of overlapping links, the link of the earlier linkifier stays. Bare addresses
 * have the lowest precedence. Links are cached by topic: the messages of a page have few topics.
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
