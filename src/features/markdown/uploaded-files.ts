import type { LinkableFile } from './content-facts.js';

/** Matches the path of an uploaded file, with the part that follows `/user_uploads/`. */
const UPLOADED = /^\/?user_uploads\/(?:download\/)?(\d+\/(?:[0-9a-f]{2}\/)?[A-Za-z0-9_-]+\/[^/\\?#]+)/;

/** The form of smaller pictures that messages name, the last part of their URLs. */
export const SHOWN_FORMAT = '840x560.webp';

/** The address of the smaller picture of an uploaded file; null if the address is of no such file. */
export function thumbnailOf(href: string): string | null {
  const path = UPLOADED.exec(href)?.[1];
  return path === undefined ? null : `/user_uploads/thumbnail/${path}/${SHOWN_FORMAT}`;
}

/** The file that an address of this server names; undefined if the writer may not link to it, or there is none. */
export function linkedFile(href: string, files: ReadonlyMap<string, LinkableFile>): LinkableFile | undefined {
  const path = files.size === 0 ? undefined : UPLOADED.exec(href)?.[1];
  return path === undefined ? undefined : files.get(decoded(path));
}

/** The decoded path; empty if the address is no URL. */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch (error) {
    if (error instanceof URIError) return '';
    throw error;
  }
}
