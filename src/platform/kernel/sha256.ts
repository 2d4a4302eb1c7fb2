import { createHash } from 'node:crypto';

/** Hashes a text as UTF-8. @returns hexadecimal */
export const sha256Of = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex');
