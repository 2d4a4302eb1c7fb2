/** `type/subtype` of RFC 9110, without parameters. */
const MEDIA_TYPE = /^[a-z0-9][a-z0-9!#$&^_.+-]{0,63}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,63}$/;

const ANYTHING = 'application/octet-stream';
/** What multipart bodies mean where they say nothing, or programs where they do not know. */
const SAYS_NOTHING: ReadonlySet<string> = new Set([ANYTHING, 'text/plain']);

/**
 * What a file is taken for. Clients that know say so; for others its name tells.
 * @param usualType of files with such a name
 */
export function contentTypeOf(said: string, usualType: string | null): string {
  const type = (said.split(';', 1)[0] ?? '').trim().toLowerCase();
  if (!MEDIA_TYPE.test(type)) return usualType ?? ANYTHING;
  return SAYS_NOTHING.has(type) ? (usualType ?? type) : type;
}

/** What browsers show without running anything in it; whatever else there is, they are told to store. */
const SHOWN: ReadonlySet<string> = new Set([
  'application/pdf',
  'audio/aac',
  'audio/flac',
  'audio/mp4',
  'audio/mpeg',
  'audio/ogg',
  'audio/wav',
  'audio/webm',
  'image/apng',
  'image/avif',
  'image/gif',
  'image/jpeg',
  'image/png',
  'image/webp',
  'text/plain',
  'video/mp4',
  'video/ogg',
  'video/webm',
]);

export const isShown = (contentType: string): boolean => SHOWN.has(contentType);
