import type { Linkifier } from '../../organization/domain/organization.settings.js';
import { matchesOf } from './linkifiers.js';
import { hrefFor } from './markdown/href.js';
import { addressesIn } from './markdown/web-address.js';

/** What a part of a topic's name leads to: what the same words lead to in a message, and so nowhere that runs. */
export interface TopicLink {
  readonly text: string;
  readonly url: string;
}

const MOST_REMEMBERED = 2_000;

const remembered = new WeakMap<readonly Linkifier[], Map<string, readonly TopicLink[]>>();

/**
 * The links in a topic, in the order of its words. Where two overlap, the earlier linkifier's stands; an address that stands
 * there as it is comes after all of them. Worked out once a topic: a page of messages is mostly of few.
 */
export function topicLinks(topic: string, linkifiers: readonly Linkifier[]): readonly TopicLink[] {
  if (topic === '') return [];
  const known = remembered.get(linkifiers) ?? new Map<string, readonly TopicLink[]>();
  remembered.set(linkifiers, known);
  const links = known.get(topic) ?? linksIn(topic, linkifiers);
  if (known.size >= MOST_REMEMBERED) known.clear();
  known.set(topic, links);
  return links;
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
