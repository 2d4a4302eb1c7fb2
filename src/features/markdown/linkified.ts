import { hrefFor } from './href.js';
import { matchesOf } from './linkifiers.js';
import type { Rule } from './rule.js';
import { element } from './tree.js';

/** Matches of the organization's linkifiers; each reads the text that earlier ones have left. */
export const linkified: Rule = (words, { stash, writing }) => {
  const { linkifiers, site } = writing.names.settings;
  let text = words;
  for (const linkifier of linkifiers) {
    let out = '';
    let at = 0;
    for (const { from, found, url } of matchesOf(linkifier, text)) {
      const href = found.includes('\u0002') ? null : hrefFor(url, site);
      if (href === null) continue;
      out += text.slice(at, from) + stash.put(element('a', { href }, [found]));
      at = from + found.length;
    }
    text = out + text.slice(at);
  }
  return text;
};
