import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { writeDurably } from '../../platform/files/write-durably.js';

/** Credentials that a client of this API logs in with. */
export interface Credentials {
  readonly email: string;
  readonly key: string;
  readonly site: string;
}

/** Reads the `[api]` section of a zuliprc file; null if the file or a part is missing. */
export async function readCredentials(file: string): Promise<Credentials | null> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  const value = (name: string): string | undefined => new RegExp(`^${name}\\s*=\\s*(\\S+)\\s*$`, 'm').exec(text)?.[1];
  const email = value('email');
  const key = value('key');
  const site = value('site');
  return email && key && site ? { email, key, site } : null;
}

/** Writes the file, readable by its owner alone; it is on disk when it resolves. */
export const writeCredentials = (file: string, { email, key, site }: Credentials): Promise<void> =>
  writeDurably(file, `[api]\nemail=${email}\nkey=${key}\nsite=${site}\n`);

/** Characters of a random password. Each has six bits. */
const RANDOM_LENGTH = 20;

/** @param least the fewest characters of a password */
export function randomPassword(least: number): string {
  const length = Math.max(RANDOM_LENGTH, least);
  return randomBytes(length).toString('base64url').slice(0, length);
}
