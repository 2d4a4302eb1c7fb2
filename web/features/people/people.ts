import { signal } from '@preact/signals';
import { get, patch, post, remove } from '../../platform/api.js';
import { isAdministrator, ROLES, type Role } from '../../platform/roles.js';
import { type Me, me } from '../../platform/session.js';

export interface Person {
  readonly id: number;
  readonly name: string;
  /** Empty: the reader may not see it. */
  readonly email: string;
  readonly role: Role;
  readonly isActive: boolean;
}

/** In the order of their names. */
export const people = signal<readonly Person[]>([]);
/** What the person who is signed in was granted. The server knows it better than the page. */
export const rights = signal({ creates: false, invites: false, makesLinks: false });

/** @throws Refused */
export async function loadPeople(): Promise<void> {
  const { members = [] } = await get('/users');
  people.value = members
    .filter(({ is_bot: isBot }) => !isBot)
    .map(({ user_id, full_name, delivery_email, role, is_active }) => ({
      id: user_id ?? 0,
      name: full_name ?? '',
      email: delivery_email ?? '',
      role: role ?? ROLES.guest,
      isActive: is_active ?? false,
    }))
    .sort((one, other) => one.name.localeCompare(other.name));
}

/** Only administrators may ask why somebody may do something. @throws Refused */
export async function loadRights(): Promise<void> {
  rights.value = { creates: false, invites: false, makesLinks: false };
  if (!me.value || !isAdministrator(me.value)) return;
  const { userId } = me.value;
  const may = async (action: string): Promise<boolean> =>
    (await get('/permissions/why', { user_id: String(userId), action })).allowed;
  const [creates, invites, makesLinks] = await Promise.all([
    may('can_create_users'),
    may('can_invite_users_group'),
    may('create_multiuse_invite_group'),
  ]);
  rights.value = { creates, invites, makesLinks };
}

/** Only owners change owners, and make somebody one. */
export const mayChange = (by: Me, { role }: Person): boolean =>
  isAdministrator(by) && (role !== ROLES.owner || by.role === ROLES.owner);

/** @throws Refused */
export async function changeRole({ id }: Person, role: Role): Promise<void> {
  await patch(`/users/${id}`, { role });
  await loadPeople();
}

/** @throws Refused */
export async function setActive({ id }: Person, isActive: boolean): Promise<void> {
  await (isActive ? post(`/users/${id}/reactivate`, {}) : remove(`/users/${id}`));
  await loadPeople();
}

/** @throws Refused */
export async function createPerson(account: { full_name: string; email: string; password: string }): Promise<void> {
  await post('/users', account);
  await loadPeople();
}
