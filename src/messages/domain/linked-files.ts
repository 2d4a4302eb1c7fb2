/** An address in rendered HTML, of a file of ours, relative or of any host: nobody guesses a file's own name. */
const ADDRESS =
  /\s(?:href|src)="(?:(?:https?:\/\/[^/"]*)?\/)?user_uploads\/(?:download\/)?(\d+\/[A-Za-z0-9_-]+\/[^/"?#]+)/g;

/**
 * Ids of the files that rendered words link to, or show, ascending.
 * @param known what their writer may link to, by the path that a file's URL ends in
 */
export function filesLinkedIn(html: string, known: ReadonlyMap<string, number>): readonly number[] {
  if (known.size === 0) return [];
  const ids = new Set<number>();
  for (const [, path = ''] of html.matchAll(ADDRESS)) {
    const id = known.get(decoded(path));
    if (id !== undefined) ids.add(id);
  }
  return [...ids].sort((a, b) => a - b);
}

/** An address that is no URL leads nowhere. */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch (error) {
    if (error instanceof URIError) return '';
    throw error;
  }
}
