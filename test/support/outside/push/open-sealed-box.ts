import { blake2b } from '@noble/hashes/blake2.js';
import nacl from 'tweetnacl';

const PUBLIC_KEY_BYTES = 32;
const NONCE_BYTES = 24;

/** Opens a sealed box as a device does. Shares no code with the server, which uses libsodium. */
export function openSealedBox(box: string, { publicKey, secretKey }: nacl.BoxKeyPair): string {
  const bytes = new Uint8Array(Buffer.from(box, 'base64'));
  const sender = bytes.subarray(0, PUBLIC_KEY_BYTES);
  const nonce = blake2b(Buffer.concat([sender, publicKey]), { dkLen: NONCE_BYTES });
  const opened = nacl.box.open(bytes.subarray(PUBLIC_KEY_BYTES), nonce, sender, secretKey);
  if (!opened) throw new Error('the box does not open');
  return Buffer.from(opened).toString('utf8');
}

/** Seals a text as a device does. */
export function sealBox(text: string, publicKey: Uint8Array): string {
  const own = nacl.box.keyPair();
  const nonce = blake2b(Buffer.concat([own.publicKey, publicKey]), { dkLen: NONCE_BYTES });
  const sealed = nacl.box(new Uint8Array(Buffer.from(text)), nonce, publicKey, own.secretKey);
  return Buffer.concat([own.publicKey, sealed]).toString('base64');
}

export const newDeviceKeys = (): nacl.BoxKeyPair => nacl.box.keyPair();
export const deviceKeysOf = (secretKey: Uint8Array): nacl.BoxKeyPair => nacl.box.keyPair.fromSecretKey(secretKey);
export const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');
