/** A proof, a note or a key is not what it says. */
export class Malformed extends Error {}

const encoder = new TextEncoder();

export const bytesOf = (text: string): Uint8Array<ArrayBuffer> => encoder.encode(text);

/** @throws Malformed if it is not base64, or of another length than this one */
export function fromBase64(text: string, length?: number): Uint8Array<ArrayBuffer> {
  const told = text.length > 60 ? `${text.slice(0, 60)}…` : text;
  let binary: string;
  try {
    binary = atob(text);
  } catch {
    throw new Malformed(`“${told}” is not base64`);
  }
  if (btoa(binary) !== text || (length !== undefined && binary.length !== length))
    throw new Malformed(`“${told}” is not base64 of ${length ?? 'some'} bytes`);
  return Uint8Array.from(binary, (letter) => letter.charCodeAt(0));
}

export const toHex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

function joined(...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

export const areEqual = (one: Uint8Array, other: Uint8Array): boolean =>
  one.length === other.length && one.every((byte, at) => byte === other[at]);

export const sha256 = async (...parts: readonly Uint8Array[]): Promise<Uint8Array<ArrayBuffer>> =>
  new Uint8Array(await crypto.subtle.digest('SHA-256', joined(...parts)));
