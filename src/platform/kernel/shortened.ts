/** The text, cut to `limit` code points, of which the last are `mark`. A text that is no longer stays as it is. */
export function shortened(text: string, limit: number, mark: string): string {
  if (text.length <= limit) return text;
  const characters = [...text];
  return characters.length <= limit ? text : characters.slice(0, limit - mark.length).join('') + mark;
}

/** The first `most` code points of a longer text, with a sign behind them that it goes on. */
export function beginningOf(text: string, most: number): string {
  const characters = [...text];
  return characters.length <= most ? text : `${characters.slice(0, most).join('')}…`;
}
