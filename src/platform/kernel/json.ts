export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Parses JSON; undefined for other text. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const HIDDEN = '(hash)';

/** A value without its hashes of passwords or keys, which would otherwise end up in tickets and pipes. */
export function withoutHashes(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutHashes);
  return typeof value === 'string' ? HIDDEN : value;
}
