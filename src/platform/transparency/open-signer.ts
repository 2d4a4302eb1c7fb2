import { readFile } from 'node:fs/promises';
import { types } from 'node:util';
import type { ContentKeys } from '../content-keys/content-keys.js';
import { isMissing } from '../files/is-missing.js';
import { writeDurably } from '../files/write-durably.js';
import { randomBytes } from '../kernel/random-bytes.js';
import { StartRefused } from '../kernel/start-refused.js';
import { nameIn } from './checkpoint-store.js';
import { NoteSigner } from './signed-note.js';

/** Name of the signing key's seed among the keys: all processes share it, and it is backed up with them. */
export const SIGNING_KEY = 'transparency-signing-key';

interface SignerSettings {
  /** The name of the log, unless a file has its key: the name is there, too. */
  readonly origin: string;
  /** File of the key; null: the key is among the content keys. */
  readonly keyFile: string | null;
  /** The end of the log's name since a restored log was accepted; null: none ever was. */
  readonly restored: string | null;
}

/** What a process is told of key and name. */
export interface SigningSettings {
  /** The public URL, without a slash at its end. */
  readonly site: string;
  /** Whether the next start has the same URL. If not, the log keeps the name that it has. */
  readonly isSettled: boolean;
  /** File of the key; null: the key is among the content keys. */
  readonly keyFile: string | null;
}

/** What the log knows of its name. */
export interface KnownName {
  /** The verifier key of the newest checkpoint; null: none is known. */
  readonly last: string | null;
  /** The end of the log's name since a restored log was accepted; null: none ever was. */
  readonly restored: string | null;
}

export const signerSettings = (
  { site, isSettled, keyFile }: SigningSettings,
  { last, restored }: KnownName,
): SignerSettings => ({ origin: isSettled || last === null ? originOf(site) : earlierOrigin(last), keyFile, restored });

/** The name of a log, from its public URL: `chat.example.org/transparency`. */
export const originOf = (site: string): string => `${site.replace(/^[a-z]+:\/\//, '')}/transparency`;

/** The earlier name of a log, without the end that an accepted restored log gave it. @param verifier the earlier key */
const earlierOrigin = (verifier: string): string =>
  nameIn(verifier).replace(/\/transparency\/[0-9a-f]{16}$/, '/transparency');

/**
 * Opens the key that signs checkpoints. The first start makes it. A key in a file is named there, so another public URL
 * does not change the log's name.
 * @throws StartRefused if the file holds no key, ContentKeysUnavailable
 */
export async function openSigner(
  keys: Pick<ContentKeys, 'putIfAbsent'>,
  { origin, keyFile, restored }: SignerSettings,
): Promise<NoteSigner> {
  if (keyFile !== null)
    return afterRestore((await signerIn(keyFile)) ?? (await newSignerIn(keyFile, origin)), restored);
  const { key } = await keys.putIfAbsent(SIGNING_KEY, randomBytes(32));
  return afterRestore(new NoteSigner(origin, Buffer.from(key)), restored);
}

/** Opens the key if there is one. @throws StartRefused, ContentKeysUnavailable */
export async function existingSigner(
  keys: Pick<ContentKeys, 'getMany'>,
  { origin, keyFile, restored }: SignerSettings,
): Promise<NoteSigner | null> {
  const signer = keyFile === null ? await signerAmong(keys, origin) : await signerIn(keyFile);
  return signer && afterRestore(signer, restored);
}

const afterRestore = (signer: NoteSigner, restored: string | null): NoteSigner =>
  restored === null ? signer : signer.named(`${signer.name}/${restored}`);

async function signerAmong(keys: Pick<ContentKeys, 'getMany'>, origin: string): Promise<NoteSigner | null> {
  const seed = (await keys.getMany([SIGNING_KEY])).get(SIGNING_KEY);
  return seed ? new NoteSigner(origin, Buffer.from(seed)) : null;
}

async function signerIn(file: string): Promise<NoteSigner | null> {
  try {
    return NoteSigner.parse((await readFile(file, 'utf8')).trim());
  } catch (error) {
    if (isMissing(error)) return null;
    throw new StartRefused(
      `${file} holds no signing key: ${types.isNativeError(error) ? error.message : String(error)}`,
    );
  }
}

/** The key is on disk, readable by its owner alone, when it resolves. */
async function newSignerIn(file: string, name: string): Promise<NoteSigner> {
  const signer = new NoteSigner(name, Buffer.from(randomBytes(32)));
  await writeDurably(file, `${signer.privateText()}\n`);
  return signer;
}
