const PROGRAM = /^\s*([^/\s(]+)/;
const MAX_LENGTH = 40;

/** What every browser calls itself. */
const BROWSER = 'Mozilla';
const PAGE = 'Annals page';

/** The client program's name for messages and events: `ZulipPython/0.9.1 (Debian GNU/Linux; 12)` → `ZulipPython`. */
export function clientName(userAgent: string | undefined): string {
  const name = PROGRAM.exec(userAgent ?? '')?.[1]?.replace(/[^\x20-\x7e]/g, '') ?? '';
  return name === '' ? 'Unspecified' : name.slice(0, MAX_LENGTH);
}

/** The name of the program behind a session. In a browser it is the page: scripts cannot choose the User-Agent. */
export const sessionClient = (name: string): string => (name === BROWSER ? PAGE : name);

const MAX_NAME = 100;
/** Characters that could change how a line is shown, or end it. */
const INVISIBLE = /[\p{C}\p{Zl}\p{Zp}]/gu;

/** The first characters of a name that a client wrote. Invisible ones are escaped: `\u{7f}`. */
export const visibleName = (name: string): string =>
  [...name.slice(0, 2 * MAX_NAME)]
    .slice(0, MAX_NAME)
    .join('')
    .replace(INVISIBLE, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
