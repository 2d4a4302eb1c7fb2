import { randomFillSync } from 'node:crypto';

const POOL_BYTES = 4096;
const pool = new Uint8Array(POOL_BYTES);
let used = POOL_BYTES;

/**
 * Gives bytes of the system's generator, which fills a pool: a call for each key and nonce would cost more than the
 * encryption. Every byte is given out once, and wiped from the pool then. @param size at most 4096
 */
export function randomBytes(size: number): Uint8Array<ArrayBuffer> {
  if (used + size > POOL_BYTES) {
    randomFillSync(pool);
    used = 0;
  }
  const bytes = pool.slice(used, used + size);
  pool.fill(0, used, used + size);
  used += size;
  return bytes;
}
