import { createHash } from 'node:crypto';

/**
 * Where a user's picture is. Nobody has uploaded one, so it is their gravatar: null for a client that works the address
 * out by itself (`client_gravatar`).
 */
export function avatarUrl(email: string, clientGravatar: boolean): string | null {
  return clientGravatar ? null : gravatarUrl(email);
}

export function gravatarUrl(email: string): string {
  const digest = createHash('md5').update(email.trim().toLowerCase()).digest('hex');
  return `https://secure.gravatar.com/avatar/${digest}?d=identicon&version=1`;
}
