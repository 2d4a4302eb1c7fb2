import { RE2JS } from 're2js';
import { refuse } from '../../../platform/kernel/deciding.js';

const MAX_PATTERN = 1000;

/** Maximum number of steps of the matcher for each character of a text. Matching takes time linear in the text's length. */
const MAX_PROGRAM = 1000;

/**
 * Compiles a regular expression in RE2's syntax. It has no look-around and no back-references, so no text can make it hang.
 * Refuses with LINKIFIER_PATTERN_INVALID.
 */
export function compilePattern(pattern: string): RE2JS {
  if (pattern.trim() === '') refuse('LINKIFIER_PATTERN_INVALID', { reason: 'it is empty' });
  if (pattern.length > MAX_PATTERN) refuse('LINKIFIER_PATTERN_INVALID', { reason: 'it is too long' });
  const compiled = compile(pattern);
  if (compiled.programSize() > MAX_PROGRAM) refuse('LINKIFIER_PATTERN_INVALID', { reason: 'it is too complex' });
  return compiled;
}

export const groupNames = (pattern: RE2JS): ReadonlySet<string> => new Set(Object.keys(pattern.namedGroups()));

/** Gives the groups' values of the first match; null without a match. */
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
