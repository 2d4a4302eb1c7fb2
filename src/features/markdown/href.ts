/** The HTML standard's safelisted schemes, with those of the web. */
const SAFE_SCHEMES: ReadonlySet<string> = new Set(
  'http https ftp sftp bitcoin geo im irc ircs magnet mailto matrix mms news nntp openpgp4fpr sip sms smsto ssh tel urn webcal wtai xmpp'.split(
    ' ',
  ),
);

/**
 * The address of a link; null if it is not safe. An address without a scheme is a web or mail address.
 * @param site the organization's URL, whose addresses become relative; null: none do
 */
export function hrefFor(written: string, site: string | null): string | null {
  const url = written
    .replace(/^[\p{Cc} ]+/u, '')
    .replace(/[\t\r\n]/g, '')
    .replaceAll(' ', '%20');
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(url)?.[1];
  const href = scheme === undefined ? withScheme(url) : scheme.toLowerCase() + url.slice(scheme.length);
  if (scheme !== undefined && !SAFE_SCHEMES.has(scheme.toLowerCase())) return null;
  if (site === null) return href;
  const isOurs = href.startsWith(`${site}/#`) || href.startsWith(`${site}/user_uploads/`);
  return isOurs ? href.slice(site.length + 1) : href;
}

function withScheme(url: string): string {
  if (url.startsWith('//')) return `http:${url}`;
  const path = /^[^?#]*/.exec(url)?.[0] ?? '';
  if (path.includes('@')) return `mailto:${url}`;
  return path.startsWith('/') || /^#./.test(url) ? url : `http://${url}`;
}
