import { signal } from '@preact/signals';
import { get, post, Refused, remove } from './api.js';
import { ROLES, type Role } from './roles.js';

/** Set while this browser may have a session: scripts cannot see its cookie. Nobody else is asked who they are. */
const HINT = 'annals.session';

export interface Me {
  readonly userId: number;
  readonly role: Role;
  readonly fullName: string;
}

/** Who is signed in; null: nobody. */
export const me = signal<Me | null>(null);

/** @throws Refused */
export async function signIn(username: string, password: string): Promise<void> {
  await post('/session', { username, password });
  localStorage.setItem(HINT, 'yes');
  await learnMe();
}

/** @throws Refused: the session goes on */
export async function signOut(): Promise<void> {
  await remove('/session');
  endSession();
}

/** Finds the session of an earlier visit. */
export async function recallSession(): Promise<void> {
  if (localStorage.getItem(HINT) === null) return;
  await learnMe().catch((error: unknown) => {
    if (error instanceof Refused && error.status === 401) endSession();
  });
}

async function learnMe(): Promise<void> {
  const { user_id: userId = 0, role = ROLES.guest, full_name: fullName = '' } = await get('/users/me');
  me.value = { userId, role, fullName };
}

/** Shows the page to nobody: the session has ended. */
export function endSession(): void {
  localStorage.removeItem(HINT);
  me.value = null;
}
