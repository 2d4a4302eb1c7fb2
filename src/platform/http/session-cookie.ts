/** The cookie that has the API key of a login in a page of this server. */
export const SESSION_COOKIE = 'annals_session';

const VALUES = new RegExp(`(?:^|;) *${SESSION_COOKIE}=([^;]*)`, 'g');
const KEY = /^[A-Za-z0-9]{32}$/;

/** No script reads it, and browsers send it with requests of this site's own pages alone. */
const ATTRIBUTES = 'Path=/; HttpOnly; SameSite=Strict';

/** Browsers keep no cookie longer. */
const LONGEST_SECONDS = 400 * 86_400;

/** Set by an answer, makes a browser forget the session. */
export const NO_SESSION = `${SESSION_COOKIE}=; ${ATTRIBUTES}; Max-Age=0`;

/** @param site the server's public URL */
export function sessionCookie(key: string, { seconds, site }: { seconds: number; site: string }): string {
  const age = Math.min(Math.floor(seconds), LONGEST_SECONDS);
  const secure = new URL(site).protocol === 'https:' ? '; Secure' : '';
  return `${SESSION_COOKIE}=${key}; ${ATTRIBUTES}; Max-Age=${age}${secure}`;
}

/**
 * The API key in the header `Cookie`; null if there is none, or nothing that has the form of one. A neighbouring site can
 * add a cookie of the same name: of two, none counts.
 */
export function sessionKeyIn(cookies: string | undefined): string | null {
  if (cookies === undefined) return null;
  const [value, ...others] = Array.from(cookies.matchAll(VALUES), ([, found = '']) => found.trimEnd());
  return value !== undefined && others.length === 0 && KEY.test(value) ? value : null;
}
