import { refuse } from '../../kernel/deciding.js';
import type { Json } from '../../kernel/json.js';

/** Deeper than any parameter of the API. Bounds every recursion over a value sent by a client. */
const MAX_DEPTH = 32;

/** Keys that the API never uses, and that class-transformer would take for the value's class. */
const FORBIDDEN_KEYS: ReadonlySet<string> = new Set(['__proto__', 'constructor']);

const LONE_SURROGATE = /\p{Surrogate}/u;

/**
 * Parses a parameter that is JSON text.
 * @throws DomainError INVALID_JSON_PARAMETER; INVALID_PARAMETER as `checkJson` does
 */
export function parseJsonParameter(name: string, text: string): Json {
  let value: Json;
  try {
    value = JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) refuse('INVALID_JSON_PARAMETER', { name });
    throw error;
  }
  checkJson(name, value);
  return value;
}

/**
 * Refuses text that only JSON can spell: null bytes, halves of surrogate pairs (which no UTF-8 store gives back), and
 * keys that reach into prototypes. Refuses values nested too deeply.
 * @throws DomainError INVALID_PARAMETER
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
 * Parses a parameter such as `to`: a JSON string, integer or list, or else bare text (`general é`, `a@example.org`).
 * Other JSON (`null`, `true`, `{}`) is bare text too.
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
