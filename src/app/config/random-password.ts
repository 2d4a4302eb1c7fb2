import { randomBytes } from 'node:crypto';

/** Characters of a random password. Each has six bits. */
const RANDOM_LENGTH = 20;

/** @param least the fewest characters of a password */
export function randomPassword(least: number): string {
  const length = Math.max(RANDOM_LENGTH, least);
  return randomBytes(length).toString('base64url').slice(0, length);
}
