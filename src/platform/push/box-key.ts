const KEY_BYTES = 32;

/** Tells whether a text is 32 bytes in standard base64, as X25519 keys are. */
export const isBoxKey = (value: unknown): boolean => keyIn(value) !== null;

/** Tells whether a box can be made for a text: it is a public X25519 key, and no point of low order. */
export const isPublicBoxKey = (value: unknown): boolean => {
  const bytes = keyIn(value);
  return bytes !== null && !LOW_ORDER.has(withoutTopBit(bytes).toString('hex'));
};

function keyIn(value: unknown): Buffer | null {
  if (typeof value !== 'string') return null;
  const bytes = Buffer.from(value, 'base64');
  return bytes.length === KEY_BYTES && bytes.toString('base64') === value ? bytes : null;
}

/** X25519 ignores the top bit of a key. */
function withoutTopBit(bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes);
  copy[KEY_BYTES - 1] = (copy[KEY_BYTES - 1] ?? 0) & 0x7f;
  return copy;
}

/**
 * The points of low order (https://cr.yp.to/ecdh.html#validate), least byte first. With them, the shared secret is zero
 * for every sender: anybody could read the box, and libsodium refuses to make it.
 */
const LOW_ORDER: ReadonlySet<string> = new Set([
  '0000000000000000000000000000000000000000000000000000000000000000',
  '0100000000000000000000000000000000000000000000000000000000000000',
  'e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800',
  '5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157',
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
]);
