import { Map as PersistentMap, Set as PersistentSet } from 'immutable';
import { ROLES, type Role } from '../../../events/shared/role.js';
import { SYSTEM_BOTS } from '../../../events/shared/system-bots.js';
import type { AccountLinkEvent, AccountLinkPurpose } from '../../../events/users/account-links.events.js';
import type { BotWebhook } from '../../../events/users/bot-webhooks.events.js';
import type { BotCreated, UserCreated, UserEvent } from '../../../events/users/users.events.js';
import type { BotType, SpecialPermission, WebhookInterface } from '../../../events/users/users.settings.js';
import type { Decider } from '../../../platform/kernel/deciding.js';
import { DAY_MS } from '../../../platform/kernel/durations.js';
import { foldCase } from '../../../platform/kernel/text.js';

/** A link that is neither used nor ended. It may be too old. */
export interface AccountLink {
  readonly userId: number;
  readonly purpose: AccountLinkPurpose;
  readonly keyId: string;
  readonly tokenHash: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
  /** Hash of the token that ends the request; null: there is none. */
  readonly vetoHash: string | null;
}

/** Milliseconds for which links can be used. */
export const LINK_LIFE_MS: Readonly<Record<AccountLinkPurpose, number>> = { email: DAY_MS, password: 3 * DAY_MS };

export interface UserState {
  readonly status: 'active' | 'deactivated';
  readonly email: string;
  readonly fullName: string;
  readonly role: Role;
  /** null for a person. */
  readonly bot: { readonly type: BotType; readonly ownerId: number; readonly webhook?: WebhookState } | null;
  /** null for an account without a password. */
  readonly passwordHash: string | null;
  /** SHA-256 of each API key, hexadecimal. A deactivated account keeps its keys. */
  readonly keyHashes: readonly string[];
  /** Whether a key was ever issued to it, by a login or the first start. */
  readonly hasHadKeys: boolean;
  readonly specialPermissions: readonly SpecialPermission[];
  /** Profile values, by id of the field. */
  readonly profile: PersistentMap<number, string>;
}

/** The newest webhook of a bot: an earlier one is forgotten with its key. */
interface WebhookState {
  readonly keyId: string;
  readonly interface: WebhookInterface;
  /** null: the key is gone. */
  readonly to: BotWebhook | null;
}

export interface UsersState {
  readonly byId: PersistentMap<number, UserState>;
  /** Folded address → user id. A deactivated account keeps its address. */
  readonly idByEmail: PersistentMap<string, number>;
  /** Ids of active owners who are people. */
  readonly ownerIds: PersistentSet<number>;
  readonly lastId: number;
  /** Links to change an address or a password, by the hash of their token. */
  readonly links: PersistentMap<string, AccountLink>;
  /** User id → the hashes of their links' tokens. */
  readonly tokensOf: PersistentMap<number, readonly string[]>;
  /** Purpose and user id → times of the newest requests for links, milliseconds since 1970, ascending. */
  readonly linkRequests: PersistentMap<string, readonly number[]>;
}

export const users: Decider<UsersState, UserEvent | AccountLinkEvent> = {
  // Nobody may take the address of a system bot.
  initialState: {
    byId: PersistentMap(),
    idByEmail: PersistentMap(SYSTEM_BOTS.map(({ email, id }) => [email, id])),
    ownerIds: PersistentSet(),
    lastId: 0,
    links: PersistentMap(),
    tokensOf: PersistentMap(),
    linkRequests: PersistentMap(),
  },
  evolve: (state, event) => {
    const { userId } = event.data;
    switch (event.type) {
      case 'UserCreated':
        return begun(state, event.data, { bot: null, passwordHash: event.data.passwordHash, keyHashes: [] });
      case 'BotCreated': {
        const { botType: type, ownerId, keyHash } = event.data;
        return begun(state, event.data, { bot: { type, ownerId }, passwordHash: null, keyHashes: [keyHash] });
      }
      case 'BotWebhookSet':
      case 'BotWebhookReplaced': {
        const { keyId, interface: form, webhook: to } = event.data;
        return altered(state, userId, ({ bot }) => ({
          bot: bot && { ...bot, webhook: { keyId, interface: form, to } },
        }));
      }
      case 'BotOwnerChanged': {
        const { to: ownerId } = event.data;
        return altered(state, userId, ({ bot }) => ({ bot: bot && { ...bot, ownerId } }));
      }
      case 'UserRenamed':
        return altered(state, userId, () => ({ fullName: event.data.to }));
      case 'UserRoleChanged':
        return altered(state, userId, () => ({ role: event.data.to }));
      case 'UserEmailChanged': {
        const { from, to } = event.data;
        const idByEmail = state.idByEmail.delete(foldCase(from)).set(foldCase(to), userId);
        return altered({ ...state, idByEmail }, userId, () => ({ email: to }));
      }
      case 'UserProfileChanged': {
        const { fieldId, to } = event.data;
        return altered(state, userId, ({ profile }) => ({
          profile: to === null ? profile.delete(fieldId) : profile.set(fieldId, to),
        }));
      }
      case 'PasswordChanged':
        return altered(state, userId, () => ({ passwordHash: event.data.passwordHash }));
      case 'ApiKeyIssued':
        return altered(state, userId, ({ keyHashes }) => ({
          keyHashes: [...keyHashes, event.data.keyHash],
          hasHadKeys: true,
        }));
      case 'ApiKeysRegenerated':
        return altered(state, userId, () => ({ keyHashes: [event.data.keyHash] }));
      case 'ApiKeysEnded':
        return altered(state, userId, ({ keyHashes }) => ({
          keyHashes: keyHashes.filter((hash) => !event.data.keyHashes.includes(hash)),
        }));
      case 'UserDeactivated':
        return altered(state, userId, () => ({ status: 'deactivated' }));
      case 'UserReactivated':
        return altered(state, userId, () => ({ status: 'active' }));
      case 'PermissionGranted':
      case 'PermissionRevoked': {
        const { permission } = event.data;
        return altered(state, userId, ({ specialPermissions }) => {
          const others = specialPermissions.filter((other) => other !== permission);
          return { specialPermissions: event.type === 'PermissionGranted' ? [...others, permission] : others };
        });
      }
      case 'EmailChangeRequested':
        return linked(state, { ...event.data, purpose: 'email' });
      case 'PasswordResetRequested':
        return linked(state, { ...event.data, purpose: 'password', vetoHash: null });
      case 'AccountLinkEnded': {
        const { tokenHash } = event.data;
        const tokens = (state.tokensOf.get(userId) ?? []).filter((other) => other !== tokenHash);
        const tokensOf = tokens.length === 0 ? state.tokensOf.delete(userId) : state.tokensOf.set(userId, tokens);
        return { ...state, links: state.links.delete(tokenHash), tokensOf };
      }
      default:
        event satisfies never;
        return state;
    }
  },
};

/** Keeps nothing that is sealed in the event: it may have to be forgotten. */
function linked(state: UsersState, link: AccountLink): UsersState {
  const { userId, purpose, keyId, tokenHash, expiresAt, vetoHash } = link;
  const at = expiresAt - LINK_LIFE_MS[purpose];
  const request = `${purpose} ${userId}`;
  const recent = (state.linkRequests.get(request) ?? []).filter((earlier) => earlier > at - DAY_MS);
  return {
    ...state,
    links: state.links.set(tokenHash, { userId, purpose, keyId, tokenHash, expiresAt, vetoHash }),
    tokensOf: state.tokensOf.set(userId, [...(state.tokensOf.get(userId) ?? []), tokenHash]),
    linkRequests: state.linkRequests.set(request, [...recent, at]),
  };
}

export const isOnlyOwner = (state: UsersState, userId: number): boolean =>
  state.ownerIds.size === 1 && state.ownerIds.has(userId);

/** Ids of a user's active bots, ascending. */
export const activeBotsOf = (state: UsersState, ownerId: number): number[] =>
  [...state.byId.filter(({ status, bot }) => status === 'active' && bot?.ownerId === ownerId).keys()].sort(
    (a, b) => a - b,
  );

type Created = UserCreated['data'] | BotCreated['data'];

function begun(
  state: UsersState,
  { userId, email, fullName, role }: Created,
  credentials: Pick<UserState, 'bot' | 'passwordHash' | 'keyHashes'>,
): UsersState {
  const own = { status: 'active', email, fullName, role, ...credentials } as const;
  const user: UserState = { ...own, hasHadKeys: false, specialPermissions: [], profile: PersistentMap() };
  return put({ ...state, idByEmail: state.idByEmail.set(foldCase(email), userId) }, userId, user);
}

function altered(state: UsersState, userId: number, change: (before: UserState) => Partial<UserState>): UsersState {
  const before = state.byId.get(userId);
  return before ? put(state, userId, { ...before, ...change(before) }) : state;
}

function put(state: UsersState, userId: number, user: UserState): UsersState {
  const isOwner = user.status === 'active' && user.role === ROLES.owner && user.bot === null;
  return {
    ...state,
    byId: state.byId.set(userId, user),
    ownerIds: isOwner ? state.ownerIds.add(userId) : state.ownerIds.delete(userId),
    lastId: Math.max(state.lastId, userId),
  };
}
