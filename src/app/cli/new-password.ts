import { readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { prepareDataDirectory } from '../../platform/engines/data-directory.js';
import { writeDurably } from '../../platform/files/write-durably.js';
import { sha256Of } from '../../platform/kernel/sha256.js';
import { type Config, engineSettingsOf } from '../config/config.js';
import { randomPassword } from '../config/owner-credentials.js';
import { UsageError } from './failure.js';
import type { Shell } from './shell.js';

/** Where whoever gave the command finds the password, in words; null: they chose it. */
type PrintedPassword = { readonly password: string } | { readonly password_file: string } | null;

export interface PasswordOptions {
  /** `-` is standard input. */
  readonly passwordFile?: string;
}

interface Account {
  readonly user_id: number;
  readonly email: string;
}

/**
 * Sets a password by `set`: the first line of the named file, or a random one. A terminal is shown a random one, once.
 * Otherwise it is in a file of the data directory, which is
 * written before the account has the password. The file of an earlier password is removed.
 */
export async function withNewPassword<Changed extends Account>(
  { passwordFile }: PasswordOptions,
  { shell, config, user }: { readonly shell: Shell; readonly config: Config; readonly user: string },
  set: (password: string) => Promise<Changed>,
): Promise<readonly [Changed, PrintedPassword]> {
  const isRandom = passwordFile === undefined;
  const password = isRandom ? randomPassword(config.passwordMinLength) : await firstLine(passwordFile, shell);
  if (!isRandom || shell.output.isTTY) {
    const account = await set(password);
    await removePasswordFiles(config, user, account);
    return [account, isRandom ? { password } : null];
  }
  if (engineSettingsOf(config).distributed) await prepareDataDirectory(config.dataDirectory);
  const file = passwordFileOf(config, user);
  // The file of an earlier password stays if this one is refused.
  const unset = `${file}.unset`;
  await writeDurably(unset, `${password}\n`);
  try {
    const account = await set(password);
    await removePasswordFiles(config, user, account);
    await rename(unset, file);
    return [account, { password_file: file }];
  } catch (error) {
    await rm(unset, { force: true });
    throw error;
  }
}

/** Removes files of the account's earlier passwords. Commands may have named it otherwise. @param user the name in this one */
export async function removePasswordFiles(config: Config, user: string, { user_id, email }: Account): Promise<void> {
  const names = new Set([user, email, String(user_id)]);
  for (const name of names) await rm(passwordFileOf(config, name), { force: true });
}

const passwordFileOf = ({ dataDirectory }: Config, user: string): string =>
  join(dataDirectory, `${fileNameOf(user)}.password`);

/** A name of a file has 255 bytes at most, with what is added to it here. Addresses in other scripts become long. */
const LONGEST_NAME = 200;

function fileNameOf(user: string): string {
  const name = encodeURIComponent(user).replaceAll('%40', '@');
  return name.length <= LONGEST_NAME ? name : `${name.slice(0, LONGEST_NAME - 17)}-${sha256Of(user).slice(0, 16)}`;
}

/** @throws UsageError if there is none */
async function firstLine(file: string, { input }: Shell): Promise<string> {
  const all = file === '-' ? await text(input) : await readFile(file, 'utf8').catch((error) => unreadable(file, error));
  const [line = ''] = all.split(/\r?\n/);
  if (line === '') throw new UsageError(`${file === '-' ? 'standard input' : file} has no password in its first line`);
  return line;
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'this user may not read it',
  EISDIR: 'it is a folder',
};

function unreadable(file: string, error: NodeJS.ErrnoException): never {
  throw new UsageError(`--password-file ${file} cannot be read: ${REASONS[error.code ?? ''] ?? error.message}`);
}

/** Tells it on a line of its own; nothing if whoever gave the command chose it. */
export function passwordLine(printed: PrintedPassword): string {
  if (printed === null) return '';
  return 'password' in printed
    ? `  password  ${printed.password}   (random, not shown again)\n`
    : `  password  in ${printed.password_file}   (random)\n`;
}
