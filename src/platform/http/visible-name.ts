const MAX_NAME = 100;
/** Characters that could change how a line is shown, or end it. */
const INVISIBLE = /[\p{C}\p{Zl}\p{Zp}]/gu;

/** The first characters of a name that a client wrote. Invisible ones are escaped: `\u{7f}`. */
export const visibleName = (name: string): string =>
  [...name.slice(0, 2 * MAX_NAME)]
    .slice(0, MAX_NAME)
    .join('')
    .replace(INVISIBLE, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
