/**
 * Matches the address of an uploaded file in rendered HTML, relative or of any host: a file's own name cannot be
 * guessed.
 */
const ADDRESS =
  /\s(?:href|src)="(?:(?:https?:\/\/[^/"]*)?\/)?user_uploads\/(?:download\/)?(\d+\/[A-Za-z0-9_-]+\/[^/"?#]+)/g;

/**
 * Ids of the files that rendered content links to or shows, ascending.
 * @param known ids of the files that its writer may link to, by the path that the file's URL ends in
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

/** The decoded path; empty if the address is no URL. */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch (error) {
    if (error instanceof URIError) return '';
    throw error;
  }
}
