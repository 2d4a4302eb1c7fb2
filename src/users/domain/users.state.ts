import { Map as PersistentMap } from 'immutable';
import type { Decider } from '../../kernel/decider.js';
import { fold } from '../../kernel/fold.js';
import { ROLES, type Role } from '../../kernel/role.js';
import type { UserEvent } from './users.events.js';

export type UserState =
  | { readonly status: 'active'; readonly role: Role; readonly email: string }
  | { readonly status: 'deactivated'; readonly role: Role; readonly email: string };

export interface UsersState {
  readonly byId: PersistentMap<number, UserState>;
  /** Folded address → user id; an address stays its account's after deactivation. */
  readonly idByEmail: PersistentMap<string, number>;
  readonly lastId: number;
}

export const users: Decider<UsersState, UserEvent> = {
  initialState: { byId: PersistentMap(), idByEmail: PersistentMap(), lastId: 0 },
  evolve: (state, event) => {
    switch (event.type) {
      case 'UserCreated': {
        const { userId, role, email } = event.data;
        return {
          byId: state.byId.set(userId, { status: 'active', role, email }),
          idByEmail: state.idByEmail.set(fold(email), userId),
          lastId: Math.max(state.lastId, userId),
        };
      }
      case 'UserDeactivated': {
        const user = state.byId.get(event.data.userId);
        if (!user) return state;
        return { ...state, byId: state.byId.set(event.data.userId, { ...user, status: 'deactivated' }) };
      }
      case 'ApiKeyIssued':
        return state;
      default:
        return state;
    }
  },
};

export function isOnlyOwner(state: UsersState, userId: number): boolean {
  const owners = state.byId.filter((user) => user.status === 'active' && user.role === ROLES.owner);
  return owners.size === 1 && owners.has(userId);
}
