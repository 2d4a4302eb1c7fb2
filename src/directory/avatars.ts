import { createHash } from 'node:crypto';
import type { UserRecord } from './directory.records.js';

/** The path of the pictures, outside of the API. */
export const AVATARS_PATH = 'user_avatars/1';

export interface AvatarForClients {
  readonly url: string;
  readonly mediumUrl: string;
  /** `U`: uploaded. `G`: follows from the address. */
  readonly source: 'U' | 'G';
  readonly version: number;
}

export type AvatarFacts = Pick<UserRecord, '_id' | 'email' | 'avatar'>;

const FIRST_VERSION = 1;

/**
 * Gives an account's avatar. URLs of uploaded pictures have no host, as clients expect. Clients make the URL of the larger
 * picture of the other one: they put `-medium` before `.png`.
 */
export function avatarOf({ _id, email, avatar }: AvatarFacts): AvatarForClients {
  const { version, files } = avatar ?? { version: FIRST_VERSION, files: null };
  if (files === null) {
    const url = gravatarUrl(email, version);
    return { url, mediumUrl: url, source: 'G', version };
  }
  const path = `/${AVATARS_PATH}/${_id}/${files.fileId}`;
  return { url: `${path}.png?v=${version}`, mediumUrl: `${path}-medium.png?v=${version}`, source: 'U', version };
}

/** Gives the URL of an account's avatar; null for a client that makes gravatar URLs by itself (`client_gravatar`). */
export function avatarUrl(user: AvatarFacts, clientGravatar: boolean): string | null {
  const { url, source } = avatarOf(user);
  return clientGravatar && source === 'G' ? null : url;
}

/** Gives the URL of an account's avatar with the server's address, for others than its clients. */
export function avatarUrlOn(site: string, user: AvatarFacts): string {
  const { url, source } = avatarOf(user);
  return source === 'U' ? `${site}${url}` : url;
}

function gravatarUrl(email: string, version: number): string {
  const digest = createHash('md5').update(email.trim().toLowerCase()).digest('hex');
  return `https://secure.gravatar.com/avatar/${digest}?d=identicon&version=${version}`;
}
