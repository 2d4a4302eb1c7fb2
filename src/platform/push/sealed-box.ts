import { isPublicBoxKey } from './box-key.js';

/** Loads libsodium when it is first needed. */
async function libsodium() {
  const { default: sodium } = await import('libsodium-wrappers');
  await sodium.ready;
  return sodium;
}

/**
 * Encrypts a text for the holder of an X25519 key: libsodium's sealed box.
 * @param publicKey standard base64
 * @returns standard base64; null if no box can be made for the key
 */
export async function sealInBox(publicKey: string, text: string): Promise<string | null> {
  if (!isPublicBoxKey(publicKey)) return null;
  const sodium = await libsodium();
  const box = sodium.crypto_box_seal(sodium.from_string(text), Buffer.from(publicKey, 'base64'));
  return Buffer.from(box).toString('base64');
}

/** An X25519 key pair that boxes are opened with. */
export interface BoxKeys {
  readonly publicKey: Uint8Array;
  readonly privateKey: Uint8Array;
}

/** Makes the pair of a private key. @param privateKey standard base64 of 32 bytes */
export async function boxKeysOf(privateKey: string): Promise<BoxKeys> {
  const sodium = await libsodium();
  const bytes = Buffer.from(privateKey, 'base64');
  return { privateKey: bytes, publicKey: sodium.crypto_scalarmult_base(bytes) };
}

/** @returns the text; null if the box was not made for the key, or has no text */
export async function openBox(box: string, { publicKey, privateKey }: BoxKeys): Promise<string | null> {
  const sodium = await libsodium();
  try {
    return sodium.to_string(sodium.crypto_box_seal_open(Buffer.from(box, 'base64'), publicKey, privateKey));
  } catch {
    return null;
  }
}
