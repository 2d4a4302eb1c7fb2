import { open, readFile, rename } from 'node:fs/promises';
import { dirname } from 'node:path';

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
export async function writeCredentials(file: string, { email, key, site }: Credentials): Promise<void> {
  const temporary = `${file}.new`;
  const handle = await open(temporary, 'w', 0o600);
  try {
    await handle.chmod(0o600);
    await handle.writeFile(`[api]\nemail=${email}\nkey=${key}\nsite=${site}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(temporary, file);
  const directory = await open(dirname(file), 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
