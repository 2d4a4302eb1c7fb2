/** Greatest length of the HTML of all coloured code and formulas of a text, in UTF-16 units. */
const MOST_GROWN = 80_000;
/** Coloured code may be this many times as long as the code, in HTML; code of a few lines always is coloured. */
const MOST_TIMES = 8;
const ALWAYS = 1_000;

/** Bounds the markup that makes HTML many times as long as its text. One for each text. */
export class Growth {
  private left = MOST_GROWN;

  /** Takes room for HTML. @returns whether there was enough; if not, nothing is taken */
  admits(html: string): boolean {
    if (html.length > this.left) return false;
    this.left -= html.length;
    return true;
  }

  /** As `admits`, for a whole block of code. */
  admitsColours(html: string, code: string): boolean {
    return html.length <= Math.max(ALWAYS, MOST_TIMES * code.length) && this.admits(html);
  }
}
