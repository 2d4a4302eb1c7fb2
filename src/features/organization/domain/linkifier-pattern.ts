import { RE2JS } from 're2js';
import { refuse } from '../../../platform/kernel/domain-error.js';

const MAX_PATTERN = 1000;

/** Steps for each character of a message, at most: a text is looked through in time that grows with its length alone. */
const MAX_PROGRAM = 1000;

/**
 * A regular expression as RE2 has them: no look-around, no back-references, and so nothing that a text can hang. Refuses
 * with LINKIFIER_PATTERN_INVALID.
 */
export function compilePattern(pattern: string): RE2JS {
  if (pattern.trim() === '') refuse('LINKIFIER_PATTERN_INVALID', { reason: 'it is empty' });
  if (pattern.length > MAX_PATTERN) refuse('LINKIFIER_PATTERN_INVALID', { reason: 'it is too long' });
  const compiled = compile(pattern);
  if (compiled.programSize() > MAX_PROGRAM) refuse('LINKIFIER_PATTERN_INVALID', { reason: 'it is too complex' });
  return compiled;
}

export const groupNames = (pattern: RE2JS): ReadonlySet<string> => new Set(Object.keys(pattern.namedGroups()));

/** What the groups hold in the first place that matches; null where none does. */
export function firstMatch(pattern: RE2JS, text: string): ReadonlyMap<string, string> | null {
  const matcher = pattern.matcher(text);
  if (!matcher.find()) return null;
  return new Map([...groupNames(pattern)].map((name) => [name, matcher.group(name) ?? '']));
}

function compile(pattern: string): RE2JS {
  try {
    return RE2JS.compile(pattern);
  } catch (error) {
    return refuse('LINKIFIER_PATTERN_INVALID', { reason: error instanceof Error ? error.message : 'unknown' });
  }
}
