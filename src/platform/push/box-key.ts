const KEY_BYTES = 32;

/** Tells whether a text is an X25519 key in standard base64. */
export const isBoxKey = (value: unknown): boolean => {
  if (typeof value !== 'string') return false;
  const bytes = Buffer.from(value, 'base64');
  return bytes.length === KEY_BYTES && bytes.toString('base64') === value;
};
