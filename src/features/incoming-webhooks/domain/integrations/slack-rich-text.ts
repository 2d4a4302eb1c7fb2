import type { Payload } from '../payload.js';
import { code, fenced, link, plain } from '../safe-markdown.js';

/** Block Kit's text with styles by field. */
export const richText = (block: Payload): string => block.items('elements').map(partOf).filter(Boolean).join('\n\n');

function partOf(part: Payload): string {
  const items = part.items('elements');
  const words = () => items.map(inline).join('');
  switch (part.maybe('type')) {
    case 'rich_text_section':
      return words();
    case 'rich_text_quote':
      return fenced(words(), 'quote');
    case 'rich_text_preformatted':
      return fenced(items.map((item) => item.maybe('text')).join(''), '');
    case 'rich_text_list': {
      const sign = part.maybe('style') === 'ordered' ? '1.' : '-';
      return items.map((item) => `${sign} ${partOf(item)}`).join('\n');
    }
    default:
      return '';
  }
}

function inline(element: Payload): string {
  switch (element.maybe('type')) {
    case 'text':
      return styled(element);
    case 'link':
      return link(element.maybe('text'), element.maybe('url'));
    case 'emoji':
      return `:${element.maybe('name')}:`;
    case 'broadcast':
      return '@**all**';
    default:
      return '';
  }
}

function styled(element: Payload): string {
  const text = element.maybe('text');
  if (element.isTrue('style.code')) return code(text);
  const [before = '', after = ''] = [/^\s*/.exec(text)?.[0], /\s*$/.exec(text)?.[0]];
  const words = text
    .split('\n')
    .map((line) => plain(line, 3000))
    .join('\n');
  const signs = [
    element.isTrue('style.bold') ? '**' : '',
    element.isTrue('style.italic') ? '*' : '',
    element.isTrue('style.strike') ? '~~' : '',
  ];
  if (words.trim() === '') return text;
  return `${before}${signs.join('')}${words.trim()}${signs.toReversed().join('')}${after}`;
}
