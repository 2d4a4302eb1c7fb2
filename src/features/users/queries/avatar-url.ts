import { createHash } from 'node:crypto';

/**
 * Gives the URL of a user's avatar: the gravatar, because avatars cannot be uploaded yet. null for a client that makes
 * gravatar URLs by itself (`client_gravatar`).
 */
export function avatarUrl(email: string, clientGravatar: boolean): string | null {
  return clientGravatar ? null : gravatarUrl(email);
}

export function gravatarUrl(email: string): string {
  const digest = createHash('md5').update(email.trim().toLowerCase()).digest('hex');
  return `https://secure.gravatar.com/avatar/${digest}?d=identicon&version=1`;
}

/** Gives the avatar's fields after a change of the address. */
export const avatarForClients = ({ userId, email }: { readonly userId: number; readonly email: string }): object => ({
  user_id: userId,
  avatar_url: gravatarUrl(email),
  avatar_source: 'G',
  avatar_url_medium: gravatarUrl(email),
  avatar_version: 1,
});
