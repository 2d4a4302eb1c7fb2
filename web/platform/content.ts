import { longTime } from './clock.js';
import { hrefOf } from './places.js';
import { characterOf } from './state/emoji.js';

/** Opening tags; the server escapes `<` and `>` elsewhere. */
const TAG = /<[a-z][^<>]*>/gi;
const NARROW = /^\/?#narrow\/(?:channel|stream)\/(\d+)[^/]*(?:\/(?:topic|subject)\/([^/]+))?/;
const EMOJI = /(?:^| )emoji-([0-9a-f]+(?:-[0-9a-f]+)*)(?: |$)/;

/**
 * Makes nodes of a message's HTML, which the server has cleaned, as the policy of the page permits them. An attribute `style` is
 * a breach of it already while it is parsed, so it is renamed, and set by script.
 */
export function contentOf(html: string): DocumentFragment {
  const lawful = html.replace(TAG, (tag) => tag.replace(/\sstyle=/g, ' data-style='));
  // What a template has loads nothing: what the policy forbids is replaced before it is of this document.
  const template = document.createElement('template');
  template.innerHTML = lawful;
  const { content } = template;
  for (const media of content.querySelectorAll('img, video, audio, iframe, embed, object')) replaceForeign(media);
  for (const link of content.querySelectorAll('a[href]')) aim(link);
  for (const emoji of content.querySelectorAll('span.emoji')) {
    const [, code] = EMOJI.exec(emoji.className) ?? [];
    if (code) emoji.textContent = characterOf(code);
  }
  for (const time of content.querySelectorAll('time[datetime]')) {
    const at = new Date(time.getAttribute('datetime') ?? '');
    if (!Number.isNaN(at.getTime())) time.textContent = longTime(at);
  }
  const fragment = document.importNode(content, true);
  for (const styled of fragment.querySelectorAll<HTMLElement>('[data-style]'))
    styled.style.cssText = styled.dataset.style ?? '';
  return fragment;
}

/** Puts a link in place of all but pictures of this server. */
function replaceForeign(media: Element): void {
  const address = media.getAttribute('src') ?? '';
  const { origin } = new URL(address, location.href);
  if (media.localName === 'img' && origin === location.origin) {
    media.setAttribute('loading', 'lazy');
    return;
  }
  const link = media.ownerDocument.createElement('a');
  link.href = address;
  link.textContent = media.getAttribute('alt') || media.getAttribute('title') || address;
  media.replaceWith(link);
}

/** Links to messages stay in the page; those to other sites open beside it, and tell them nothing. */
function aim(link: Element): void {
  const href = link.getAttribute('href') ?? '';
  const [, channelId, topic] = NARROW.exec(href) ?? [];
  if (channelId !== undefined) {
    const place = { channelId: Number(channelId) };
    link.setAttribute(
      'href',
      topic === undefined
        ? hrefOf({ kind: 'channel', ...place })
        : hrefOf({ kind: 'topic', ...place, topic: decoded(topic) }),
    );
    return;
  }
  link.setAttribute('target', '_blank');
  link.setAttribute('rel', 'noopener noreferrer');
}

/** In such links a dot stands for `%`. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part.replaceAll('.', '%'));
  } catch {
    return part;
  }
}
