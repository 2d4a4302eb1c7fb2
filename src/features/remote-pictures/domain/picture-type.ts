/** Types that every browser shows, by the bytes that their files begin with, in hexadecimal. */
const SIGNATURES: readonly { readonly type: string; readonly begins: RegExp }[] = [
  { type: 'image/png', begins: /^89504e470d0a1a0a/ },
  { type: 'image/jpeg', begins: /^ffd8ff/ },
  { type: 'image/gif', begins: /^47494638(?:37|39)61/ },
  { type: 'image/webp', begins: /^52494646.{8}57454250/ },
];

/** The header `Accept` of requests for pictures. */
export const SHOWN_TYPES = SIGNATURES.map(({ type }) => type).join(', ');

/** Tells the type of a picture by its first 12 bytes. null: it is none that is served. */
export function pictureTypeOf(content: Buffer): string | null {
  const head = content.toString('hex', 0, 12);
  return SIGNATURES.find(({ begins }) => begins.test(head))?.type ?? null;
}
