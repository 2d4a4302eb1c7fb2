import type { LinkableFile } from '../../markdown/content-facts.js';
import { linkedFile } from '../../markdown/uploaded-files.js';

/** Matches the addresses in rendered HTML, relative or of any host: a file's own name cannot be guessed. */
const ADDRESS = /\s(?:href|src)="(?:https?:\/\/[^/"]*)?([^"]*)"/g;

/**
 * Ids of the files that rendered content links to or shows, ascending.
 * @param known the files that its writer may link to, by the path that the file's URL ends in
 */
export function filesLinkedIn(html: string, known: ReadonlyMap<string, LinkableFile>): readonly number[] {
  if (known.size === 0) return [];
  const ids = new Set<number>();
  for (const [, address = ''] of html.matchAll(ADDRESS)) {
    const file = linkedFile(address, known);
    if (file) ids.add(file.id);
  }
  return [...ids].sort((a, b) => a - b);
}
