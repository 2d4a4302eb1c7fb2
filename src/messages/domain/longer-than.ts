/** Counts code points only where the shorter count of UTF-16 units does not settle it. */
export function longerThan(text: string, limit: number): boolean {
  return text.length > limit && [...text].length > limit;
}
