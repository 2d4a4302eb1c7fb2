import { signal } from '@preact/signals';
import { get, post, remove } from '../../platform/api.js';
import type { Role } from '../../platform/roles.js';

export const invitations = signal<Awaited<ReturnType<typeof askInvitations>>>([]);

export type Invitation = (typeof invitations.value)[number];

const askInvitations = async () => (await get('/invites')).invites ?? [];

/** @throws Refused */
export async function loadInvitations(): Promise<void> {
  invitations.value = await askInvitations();
}

/** People who join are in the organization's default channels. */
const termsOf = (role: Role) => ({ invite_as: role, stream_ids: [], include_realm_default_subscriptions: true });

/** @throws Refused: some mails may be on their way all the same */
export async function invite(addresses: string, role: Role): Promise<void> {
  try {
    await post('/invites', { invitee_emails: addresses, ...termsOf(role) });
  } finally {
    await loadInvitations();
  }
}

/** @throws Refused */
export async function makeLink(role: Role): Promise<void> {
  await post('/invites/multiuse', termsOf(role));
  await loadInvitations();
}

/** @throws Refused */
export async function revoke({ id, is_multiuse: isForMany }: Invitation): Promise<void> {
  await remove(isForMany ? `/invites/multiuse/${id}` : `/invites/${id}`);
  await loadInvitations();
}
