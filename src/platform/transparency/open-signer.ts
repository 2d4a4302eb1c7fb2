import { readFile } from 'node:fs/promises';
import type { ContentKeys } from '../content-keys/content-keys.js';
import { randomBytes } from '../content-keys/random-bytes.js';
import { writeDurably } from '../files/write-durably.js';
import { StartRefused } from '../kernel/start-refused.js';
import { NoteSigner } from './signed-note.js';

/** Name of the signing key's seed among the keys: all processes share it, and it is backed up with them. */
export const SIGNING_KEY = 'transparency-signing-key';

export interface SignerSettings {
  /** The server's public URL, without a slash at its end. */
  readonly site: string;
  /** File of the key; null: the key is among the content keys. */
  readonly keyFile: string | null;
  /** The end of the log's name since a restored log was accepted; null: none ever was. */
  readonly restored: string | null;
}

/** The name of a log, from its public URL: `chat.example.org/transparency`. */
export const originOf = (site: string): string => `${site.replace(/^[a-z]+:\/\//, '')}/transparency`;

/**
 * Opens the key that signs checkpoints. The first start makes it. A key in a file is named there, so another public URL
 * does not change the log's name.
 * @throws StartRefused if the file holds no key, ContentKeysUnavailable
 */
export async function openSigner(
  keys: Pick<ContentKeys, 'putIfAbsent'>,
  { site, keyFile, restored }: SignerSettings,
): Promise<NoteSigner> {
  if (keyFile !== null)
    return afterRestore((await signerIn(keyFile)) ?? (await newSignerIn(keyFile, originOf(site))), restored);
  const { key } = await keys.putIfAbsent(SIGNING_KEY, randomBytes(32));
  return afterRestore(new NoteSigner(originOf(site), Buffer.from(key)), restored);
}

/** Opens the key if there is one. @throws StartRefused, ContentKeysUnavailable */
export async function existingSigner(
  keys: Pick<ContentKeys, 'getMany'>,
  { site, keyFile, restored }: SignerSettings,
): Promise<NoteSigner | null> {
  const signer = keyFile === null ? await signerAmong(keys, site) : await signerIn(keyFile);
  return signer && afterRestore(signer, restored);
}

const afterRestore = (signer: NoteSigner, restored: string | null): NoteSigner =>
  restored === null ? signer : signer.named(`${signer.name}/${restored}`);

async function signerAmong(keys: Pick<ContentKeys, 'getMany'>, site: string): Promise<NoteSigner | null> {
  const seed = (await keys.getMany([SIGNING_KEY])).get(SIGNING_KEY);
  return seed ? new NoteSigner(originOf(site), Buffer.from(seed)) : null;
}

async function signerIn(file: string): Promise<NoteSigner | null> {
  try {
    return NoteSigner.parse((await readFile(file, 'utf8')).trim());
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw new StartRefused(`${file} holds no signing key: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** The key is on disk, readable by its owner alone, when it resolves. */
async function newSignerIn(file: string, name: string): Promise<NoteSigner> {
  const signer = new NoteSigner(name, Buffer.from(randomBytes(32)));
  await writeDurably(file, `${signer.privateText()}\n`);
  return signer;
}
