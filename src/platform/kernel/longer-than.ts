/** Whether the text has more code points than `limit`. Counts them only if it has more UTF-16 units than that. */
export function longerThan(text: string, limit: number): boolean {
  return text.length > limit && [...text].length > limit;
}
