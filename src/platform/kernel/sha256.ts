import { createHash } from 'node:crypto';

/** Hashes bytes, or a text as UTF-8. @returns hexadecimal */
export const sha256Of = (content: string | Uint8Array): string => createHash('sha256').update(content).digest('hex');
