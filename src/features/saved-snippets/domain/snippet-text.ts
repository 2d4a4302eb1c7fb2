import { refuse } from '../../../platform/kernel/deciding.js';

/** In Unicode code points. */
export const MAX_TITLE_LENGTH = 60;

/** @throws DomainError SNIPPET_TITLE_EMPTY, SNIPPET_TITLE_TOO_LONG, SNIPPET_HAS_NULL_BYTES */
export function checkedTitle(given: string): string {
  const title = given.trim();
  if (title === '') refuse('SNIPPET_TITLE_EMPTY');
  if ([...title].length > MAX_TITLE_LENGTH) refuse('SNIPPET_TITLE_TOO_LONG', { limit: MAX_TITLE_LENGTH });
  if (title.includes('\0')) refuse('SNIPPET_HAS_NULL_BYTES');
  return title;
}

/**
 * @param limit in Unicode code points, the same as for messages
 * @throws DomainError SNIPPET_CONTENT_EMPTY, SNIPPET_CONTENT_TOO_LONG, SNIPPET_HAS_NULL_BYTES
 */
export function checkedContent(given: string, limit: number): string {
  const content = given.trim();
  if (content === '') refuse('SNIPPET_CONTENT_EMPTY');
  if ([...content].length > limit) refuse('SNIPPET_CONTENT_TOO_LONG', { limit });
  if (content.includes('\0')) refuse('SNIPPET_HAS_NULL_BYTES');
  return content;
}
