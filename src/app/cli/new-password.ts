import { readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { prepareDataDirectory } from '../../platform/engines/data-directory.js';
import { writeDurably } from '../../platform/files/write-durably.js';
import { sha256Of } from '../../platform/kernel/sha256.js';
import type { Config } from '../config/config.js';
import { engineSettingsOf } from '../config/engine-settings-of.js';
import { randomPassword } from '../config/random-password.js';
import { UsageError } from './failure.js';
import type { Shell } from './shell.js';

/** A password that an account is about to get. */
export interface NewPassword {
  readonly password: string;
  /** Where whoever gave the command finds it, in words; null: they chose it. */
  readonly told: { readonly password: string } | { readonly password_file: string } | null;
}

export interface PasswordOptions {
  /** `-` is standard input. */
  readonly passwordFile?: string;
}

/**
 * Sets a password by `set`: the first line of the named file, or a random one. A terminal is shown a random one, once.
 * Otherwise it is in a file of the data directory, which is
 * written before the account has the password.
 */
export async function withNewPassword<T>(
  { passwordFile }: PasswordOptions,
  { shell, config, user }: { readonly shell: Shell; readonly config: Config; readonly user: string },
  set: (chosen: NewPassword) => Promise<T>,
): Promise<T> {
  if (passwordFile !== undefined) return set({ password: await firstLine(passwordFile, shell), told: null });
  const password = randomPassword(config.passwordMinLength);
  if (shell.output.isTTY) return set({ password, told: { password } });
  if (engineSettingsOf(config).distributed) await prepareDataDirectory(config.dataDirectory);
  const file = join(config.dataDirectory, `${fileNameOf(user)}.password`);
  // The file of an earlier password stays if this one is refused.
  const unset = `${file}.unset`;
  await writeDurably(unset, `${password}\n`);
  try {
    const result = await set({ password, told: { password_file: file } });
    await rename(unset, file);
    return result;
  } catch (error) {
    await rm(unset, { force: true });
    throw error;
  }
}

/** A name of a file has 255 bytes at most, with what is added to it here. Addresses in other scripts become long. */
const LONGEST_NAME = 200;

function fileNameOf(user: string): string {
  const name = encodeURIComponent(user).replaceAll('%40', '@');
  return name.length <= LONGEST_NAME ? name : `${name.slice(0, LONGEST_NAME - 17)}-${sha256Of(user).slice(0, 16)}`;
}

/** @throws UsageError if there is none */
async function firstLine(file: string, { input }: Shell): Promise<string> {
  const all = file === '-' ? await text(input) : await readFile(file, 'utf8');
  const [line = ''] = all.split(/\r?\n/);
  if (line === '') throw new UsageError(`${file === '-' ? 'standard input' : file} has no password in its first line`);
  return line;
}

/** Tells it on a line of its own; nothing if whoever gave the command chose it. */
export function passwordLine({ told }: NewPassword): string {
  if (told === null) return '';
  return 'password' in told
    ? `  password  ${told.password}   (random, not shown again)\n`
    : `  password  in ${told.password_file}   (random)\n`;
}
