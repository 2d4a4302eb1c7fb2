import type { Json } from './json.js';

const HIDDEN = '(hash)';

/** A value without its hashes of passwords or keys, which would otherwise end up in tickets and pipes. */
export function withoutHashes(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutHashes);
  return typeof value === 'string' ? HIDDEN : value;
}
