import { hrefFor, pairs, targetAt } from './links.js';
import { type InlineRule, replaced } from './rule.js';
import { element } from './tree.js';
import { linkedFile } from './uploaded-files.js';

/** Content types that clients can be expected to play. */
const PLAYED: ReadonlySet<string> = new Set([
  'audio/aac',
  'audio/flac',
  'audio/mpeg',
  'audio/vnd.wave',
  'audio/wav',
  'audio/x-flac',
  'audio/x-wav',
]);

/**
 * `![words](address)` of an uploaded sound is a player. Sounds of other sites stay as typed: a client that plays one asks
 * the host that the writer has chosen.
 */
export const audio: InlineRule = (words, { stash, writing }) => {
  const { files, settings } = writing.names;
  if (files.size === 0 || !words.includes('![')) return words;
  const closing = pairs(words);
  return replaced(words, /!\[/g, ({ index }) => {
    const end = closing.get(index + 1);
    if (end === undefined || words[end + 1] !== '(') return null;
    const target = targetAt(words, end + 1, closing);
    const href = target && hrefFor(stash.asWritten(target.address).trim(), settings.site);
    if (!target || href === null || !PLAYED.has(linkedFile(href, files)?.contentType ?? '')) return null;
    const title = stash.asWritten(words.slice(index + 2, end)).trim();
    const player = {
      controls: '',
      preload: 'metadata',
      src: href.replace(/^\/?/, '/'),
      ...(title !== '' && { title }),
    };
    const written = stash.asWritten(words.slice(index, target.end));
    return { until: target.end, put: stash.put(element('audio', player), written) };
  });
};
