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

const before = new Set<() => Promise<void>>();

/** Lets a feature store what it has before its person signs out. */
export function beforeSignOut(store: () => Promise<void>): void {
  before.add(store);
}

/** @throws Refused: the session goes on */
export async function signOut(): Promise<void> {
  await Promise.all([...before].map((store) => store()));
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

/** The session has ended. The page begins anew, so that it has nothing of its person for the next one. */
export function endSession(): void {
  localStorage.removeItem(HINT);
  if (me.value) location.reload();
}

/** Begins anew where another tab of the browser signs in or out: the cookie is that of all tabs. */
export function followOtherTabs(): void {
  addEventListener('storage', ({ key }) => {
    if (key === HINT) location.reload();
  });
}
