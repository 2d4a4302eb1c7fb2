/** `type/subtype` of RFC 9110, without parameters. */
const MEDIA_TYPE = /^[a-z0-9][a-z0-9!#$&^_.+-]{0,63}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,63}$/;

const ANYTHING = 'application/octet-stream';
/** Types that say nothing about a file: the defaults of multipart bodies, and of programs that do not know the type. */
const SAYS_NOTHING: ReadonlySet<string> = new Set([ANYTHING, 'text/plain']);

/**
 * Gives the type of a file: the type that the client sent or, if it says nothing, the usual type.
 * @param usualType usual type for the file name's extension; null if it is unknown
 */
export function contentTypeOf(said: string, usualType: string | null): string {
  const type = (said.split(';', 1)[0] ?? '').trim().toLowerCase();
  if (!MEDIA_TYPE.test(type)) return usualType ?? ANYTHING;
  return SAYS_NOTHING.has(type) ? (usualType ?? type) : type;
}

/** Types of the pictures that smaller ones can be made of. */
const MEASURED: ReadonlySet<string> = new Set([
  'image/apng',
  'image/gif',
  'image/jpeg',
  'image/jpg',
  'image/pjpeg',
  'image/png',
  'image/webp',
  'image/x-png',
]);

export const isMeasured = (contentType: string): boolean => MEASURED.has(contentType);

/** Types that browsers show without running scripts. Other files are sent as downloads. */
const SHOWN: ReadonlySet<string> = new Set([
  'application/pdf',
  'audio/aac',
  'audio/flac',
  'audio/mp4',
  'audio/mpeg',
  'audio/ogg',
  'audio/vnd.wave',
  'audio/wav',
  'audio/webm',
  'audio/x-flac',
  'audio/x-wav',
  'image/apng',
  'image/avif',
  'image/bmp',
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
