import { refuse } from '../../kernel/deciding.js';
import { BagBuilder, type ParameterBag } from './parameter-bag.js';

/**
 * Parses `application/x-www-form-urlencoded` strictly. Refuses an escape that is not UTF-8 instead of replacing it: the
 * stored text must be the text written.
 * @throws DomainError MALFORMED_REQUEST
 */
export function parseUrlencoded(text: string): ParameterBag {
  const builder = new BagBuilder();
  let start = 0;
  while (start <= text.length) {
    const end = indexOrEnd(text, '&', start);
    if (end > start) {
      const equals = text.indexOf('=', start);
      if (equals === -1 || equals >= end) builder.set(decode(text.slice(start, end)), '');
      else builder.set(decode(text.slice(start, equals)), decode(text.slice(equals + 1, end)));
    }
    start = end + 1;
  }
  return builder.bag;
}

function indexOrEnd(text: string, character: string, from: number): number {
  const index = text.indexOf(character, from);
  return index === -1 ? text.length : index;
}

function decode(text: string): string {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text;
  if (!spaced.includes('%')) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch (error) {
    if (error instanceof URIError) refuse('MALFORMED_REQUEST', { description: 'Malformed URL-encoding' });
    throw error;
  }
}
