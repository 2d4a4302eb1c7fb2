import type { IncomingHttpHeaders } from 'node:http';

const BASIC = /^Basic\b/;

/** Browsers do not know this scheme. HTTP demands some challenge in a 401. */
const UNKNOWN_TO_BROWSERS = 'xBasic';

/** What a browser accepts that goes to another page, with a form or a link. */
export const ACCEPTS_PAGES = /\btext\/html\b/i;

/** Every browser calls itself so. */
const BROWSER = /^Mozilla\//;

/**
 * The headers of a refusal, without a challenge that a browser would understand: it would ask for a key, remember it, and
 * add it to requests that any page makes it send. Programs get the challenge.
 */
export function unchallenging(
  answer: Readonly<Record<string, string>>,
  request: IncomingHttpHeaders,
): Readonly<Record<string, string>> {
  const challenge = answer['WWW-Authenticate'];
  if (challenge === undefined || !isBrowser(request)) return answer;
  return { ...answer, 'WWW-Authenticate': challenge.replace(BASIC, UNKNOWN_TO_BROWSERS) };
}

/** The headers of a refusal for a page of this server: it knows what to do, and nobody else is to be asked for a key. */
export function withoutChallenge({
  'WWW-Authenticate': _,
  ...others
}: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return others;
}

/** Whether a person opens the path of a request, and no page shows it or asks for it. Programs are like persons. */
export function isOpened(headers: IncomingHttpHeaders): boolean {
  const { 'sec-fetch-mode': mode, accept = '' } = headers;
  return mode === undefined ? !isBrowser(headers) || ACCEPTS_PAGES.test(accept) : mode === 'navigate';
}

const isBrowser = (headers: IncomingHttpHeaders): boolean =>
  headers['sec-fetch-mode'] !== undefined || headers.origin !== undefined || BROWSER.test(headers['user-agent'] ?? '');
