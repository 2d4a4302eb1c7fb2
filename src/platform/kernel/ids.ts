import { hash } from 'node:crypto';
import { parse, v7 } from 'uuid';
import { randomBytes } from './random-bytes.js';

const NAMESPACE = parse('5f0b3f0c-3c1e-5d2a-9a55-4d9f0f4a7c11');

/**
 * A UUID of version 5 derived from the parts: the same in every process and after every restart. Other parts give another
 * UUID. The library takes three times as long.
 */
export function derivedId(...parts: readonly (string | number)[]): string {
  const digest = hash('sha1', Buffer.concat([NAMESPACE, Buffer.from(JSON.stringify(parts))]), 'hex');
  const variant = ((Number.parseInt(digest.charAt(16), 16) & 3) | 8).toString(16);
  const end = `${variant}${digest.slice(17, 20)}-${digest.slice(20, 32)}`;
  return `${digest.slice(0, 8)}-${digest.slice(8, 12)}-5${digest.slice(13, 16)}-${end}`;
}

/** Milliseconds of the newest id, and its number among those of the same millisecond. */
let msecs = 0;
let seq = 0;

/** A new id. Ids made one after another sort together, so records keyed by them are stored close together. */
export function newEventId(): string {
  const random = randomBytes(16);
  const now = Date.now();
  if (now > msecs) {
    msecs = now;
    // Leaves room: no millisecond has two thousand million ids.
    seq = new DataView(random.buffer).getUint32(0) >>> 2;
  } else seq++;
  // Bytes of its own would be a call of the system's generator each, which costs more than all else.
  return v7({ random, msecs, seq });
}
