import { StartRefused } from '../kernel/start-refused.js';

export const DEFAULT_DATABASE = 'annals';

/** The database that the URL's path names. @throws StartRefused where it is no URL of MongoDB */
export function databaseOf(url: string): string {
  const parts = /^mongodb(?:\+srv)?:\/\/[^/?]+(?:\/([^?]*))?(?:\?.*)?$/.exec(url);
  if (!parts) {
    throw new StartRefused(
      'MONGODB_URL is no address of MongoDB: write mongodb://host:port/database or mongodb+srv://host/database.',
    );
  }
  const name = decoded(parts[1] ?? '') || DEFAULT_DATABASE;
  if ([...FORBIDDEN].some((character) => name.includes(character)) || Buffer.byteLength(name) > 63) {
    throw new StartRefused(`MONGODB_URL names the database ${JSON.stringify(name)}, which MongoDB does not allow.`);
  }
  return name;
}

/** In the name of a database, on some platform or other. */
const FORBIDDEN = '/\\. "$*<>:|?%\u0000';

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A stray % is refused with the name that it stands in.
    return text;
  }
}

/** Without what stands before the `@`. */
export function withoutPassword(text: string): string {
  return text.replaceAll(/(mongodb(?:\+srv)?:\/\/)[^/\s]*@/g, '$1').replaceAll(/\/\/[^/\s]*@/g, '//');
}
