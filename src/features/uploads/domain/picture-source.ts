import { unescaped } from '../../../platform/kernel/text.js';

const UPLOADED = /^\/*user_uploads\/(?:download\/|thumbnail\/)?(\d+)\/(?:([0-9a-f]{2})\/)?([^/?#]+)\/([^/?#]+)/;

/** Path of an uploaded file, as in its URL. */
export interface FilePath {
  readonly realmId: string;
  readonly folder: string | undefined;
  readonly fileId: string;
  readonly name: string;
}

/**
 * Reads the URL of a picture as `/thumbnail` gets it from rendered messages: without the slash at its beginning.
 *
 * @param site the server's public URL
 * @returns null if the picture was not uploaded to this server
 */
export function pictureSource(url: string, site: string): FilePath | null {
  const [, realmId, folder, fileId, name] =
    UPLOADED.exec(url.startsWith(`${site}/`) ? url.slice(site.length) : url) ?? [];
  if (realmId === undefined || fileId === undefined || name === undefined) return null;
  return { realmId, folder, fileId, name: unescaped(name) };
}
