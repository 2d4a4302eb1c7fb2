import { StartRefused } from '../kernel/start-refused.js';
import { unescaped } from '../kernel/text.js';

const DEFAULT_DATABASE = 'annals';

/** The database that the URL's path names. @throws StartRefused for a URL that is not MongoDB's */
export function databaseOf(url: string): string {
  const parts = /^mongodb(?:\+srv)?:\/\/[^/?]+(?:\/([^?]*))?(?:\?.*)?$/.exec(url);
  if (!parts) {
    throw new StartRefused(
      'MONGODB_URL is no address of MongoDB: write mongodb://host:port/database or mongodb+srv://host/database.',
    );
  }
  const name = unescaped(parts[1] ?? '') || DEFAULT_DATABASE;
  if ([...FORBIDDEN].some((character) => name.includes(character)) || Buffer.byteLength(name) > 63) {
    throw new StartRefused(`MONGODB_URL names the database ${JSON.stringify(name)}, which MongoDB does not allow.`);
  }
  return name;
}

/** Characters that some platform forbids in the name of a database. */
const FORBIDDEN = '/\\. "$*<>:|?%\u0000';

/** The text without user and password before an `@`. */
export function withoutPassword(text: string): string {
  return text.replaceAll(/(mongodb(?:\+srv)?:\/\/)[^/\s]*@/g, '$1').replaceAll(/\/\/[^/\s]*@/g, '//');
}
