import { BagBuilder, type ParameterBag } from './parameter-bag.js';
import { parseUrlencoded } from './urlencoded.js';

const NOTHING: ParameterBag = new Map();

/**
 * Merges query string and body into one bag; the body wins.
 * @param url with its query string
 * @param body the body parsers' result; undefined if there was no body
 * @throws DomainError MALFORMED_REQUEST for a query string that is not URL-encoded UTF-8
 */
export function mergeParameters(url: string, body: unknown): ParameterBag {
  const start = url.indexOf('?');
  const sent = body instanceof Map ? (body as ParameterBag) : NOTHING;
  if (start === -1 || start === url.length - 1) return sent;
  const merged = new BagBuilder();
  for (const [name, value] of parseUrlencoded(url.slice(start + 1))) merged.set(name, value);
  for (const [name, value] of sent) merged.set(name, value);
  return merged.bag;
}
