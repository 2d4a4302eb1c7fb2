import { refuse } from '../../kernel/domain-error.js';
import type { Json } from '../../kernel/json.js';

/** Deeper than any parameter of the API; keeps every recursion over a value that a client sent short. */
const MAX_DEPTH = 32;

/** No name of the API, and what class-transformer would take for the value's class. */
const FORBIDDEN_KEYS: ReadonlySet<string> = new Set(['__proto__', 'constructor']);

const LONE_SURROGATE = /\p{Surrogate}/u;

/**
 * A parameter that is JSON text.
 * @throws DomainError INVALID_JSON; INVALID_PARAMETER for text inside that no parameter may hold
 */
export function parseJsonParameter(name: string, text: string): Json {
  let value: Json;
  try {
    value = JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) refuse('INVALID_JSON');
    throw error;
  }
  checkJson(name, value);
  return value;
}

/**
 * JSON can spell what the raw form of a string cannot carry: null bytes, halves of surrogate pairs (which no UTF-8
 * store gives back), and keys that reach into prototypes.
 */
export function checkJson(name: string, value: Json, depth = 0): void {
  if (typeof value === 'string') {
    if (value.includes('\0')) refuse('INVALID_PARAMETER', { description: `${name} must not contain null bytes` });
    if (LONE_SURROGATE.test(value)) refuse('INVALID_PARAMETER', { description: `${name} is not valid Unicode` });
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  if (depth >= MAX_DEPTH) refuse('INVALID_PARAMETER', { description: `${name} is nested too deeply` });
  if (Array.isArray(value)) {
    for (const item of value) checkJson(name, item, depth + 1);
    return;
  }
  for (const key of Object.keys(value)) {
    if (FORBIDDEN_KEYS.has(key)) refuse('INVALID_PARAMETER', { description: `${name} must not have a key '${key}'` });
    checkJson(name, key, depth + 1);
    checkJson(name, value[key] ?? null, depth + 1);
  }
}

const INTEGER = /^-?\d{1,15}$/;

/**
 * `to` and its like: a JSON string, integer or list, or else the bare text itself (`general é`, `a@example.org`).
 * Bare words that happen to be JSON (`null`, `true`, `{}`) are names like any other.
 */
export function parseJsonOrText(name: string, text: string): Json {
  if (INTEGER.test(text)) return Number(text);
  const first = text.trimStart()[0];
  if (first !== '"' && first !== '[') return text;
  let value: Json;
  try {
    value = JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return text;
    throw error;
  }
  checkJson(name, value);
  return value;
}
