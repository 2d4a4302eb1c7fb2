import { PROFILE_FIELD_TYPES, type ProfileField } from '../../../events/organization/organization.settings.js';
import { ROLES, type Role } from '../../../events/shared/role.js';
import type { AccountLinkEnded } from '../../../events/users/account-links.events.js';
import type {
  UserEmailChanged,
  UserProfileChanged,
  UserRenamed,
  UserRoleChanged,
} from '../../../events/users/users.events.js';
import { Command, type Decide, refuse } from '../../../platform/kernel/deciding.js';
import { linksEnded } from './account-links.js';
import { checkedName, isBotNameTaken, requireFreeAddress, requireUniqueName } from './names.js';
import { checkProfileValue } from './profile-value.js';
import { isOnlyOwner, type UserState, type UsersState } from './users.state.js';

export interface ProfileEntry {
  readonly fieldId: number;
  /** An empty text removes the value. */
  readonly value: string;
}

export interface UserChanges {
  readonly fullName?: string | undefined;
  readonly role?: Role | undefined;
  /** The last entry of a field counts. */
  readonly profile?: readonly ProfileEntry[] | undefined;
  readonly email?: string | undefined;
}

/** Changes another user's account, by `PATCH /users/{user_id}`. */
export class UpdateUser extends Command<{ userId: number; changes: UserChanges }> {}

export interface UpdateUserFacts {
  readonly isAdministrator: boolean;
  readonly isOwner: boolean;
  /** The caller has `can_change_user_emails`. Owners need it, too. */
  readonly mayChangeEmails: boolean;
  readonly uniqueNames: boolean;
  readonly profileFields: readonly ProfileField[];
  /** Renders a text value as HTML. */
  readonly render: (text: string) => string;
}

type UserUpdated = UserRenamed | UserRoleChanged | UserProfileChanged | UserEmailChanged | AccountLinkEnded;

/** Makes all changes, or none. */
export const decideUpdateUser: Decide<UpdateUser, UsersState, UserUpdated, UpdateUserFacts> = (
  { userId, changes },
  state,
  facts,
) => {
  if (!facts.isAdministrator) refuse('ADMINISTRATOR_REQUIRED');
  const user = state.byId.get(userId);
  if (!user || user.status === 'deactivated') refuse('USER_NOT_FOUND');
  return [
    ...renamed(userId, user, changes.fullName, state, facts.uniqueNames),
    ...roleChanged(userId, user, changes.role, state, facts.isOwner),
    ...profileChanged(userId, user, changes.profile, state, facts),
    ...emailChanged(userId, user, changes.email, state, facts),
  ];
};

export function renamed(
  userId: number,
  user: UserState,
  fullName: string | undefined,
  state: UsersState,
  uniqueNames: boolean,
): UserRenamed[] {
  if (fullName === undefined) return [];
  const to = checkedName(fullName);
  if (to === user.fullName) return [];
  if (user.bot && isBotNameTaken(state, to, userId)) refuse('BOT_NAME_TAKEN');
  if (uniqueNames) requireUniqueName(state, to, userId);
  return [{ type: 'UserRenamed', data: { userId, from: user.fullName, to } }];
}

export function roleChanged(
  userId: number,
  user: UserState,
  role: Role | undefined,
  state: UsersState,
  callerIsOwner: boolean,
): UserRoleChanged[] {
  if (role === undefined || role === user.role) return [];
  if ((role === ROLES.owner || user.role === ROLES.owner) && !callerIsOwner) refuse('OWNER_REQUIRED');
  if (isOnlyOwner(state, userId)) refuse('ONLY_OWNER_DEMOTED');
  // A guest must become a member first.
  if (user.role === ROLES.guest && (role === ROLES.owner || role === ROLES.administrator))
    refuse('GUEST_CANNOT_ADMINISTER');
  return [{ type: 'UserRoleChanged', data: { userId, from: user.role, to: role } }];
}

function profileChanged(
  userId: number,
  user: UserState,
  entries: readonly ProfileEntry[] = [],
  state: UsersState,
  { profileFields, render }: UpdateUserFacts,
): UserProfileChanged[] {
  if (entries.length > 0 && user.bot) refuse('BOTS_HAVE_NO_PROFILE');
  const wanted = new Map<ProfileField, string | null>();
  for (const { fieldId, value } of entries) {
    const field = profileFields.find(({ id }) => id === fieldId) ?? refuse('PROFILE_FIELD_UNKNOWN', { fieldId });
    if (value !== '') checkProfileValue(field, value, state);
    wanted.set(field, value === '' ? null : value);
  }
  return [...wanted].flatMap(([field, to]) => {
    const from = user.profile.get(field.id) ?? null;
    if (from === to) return [];
    const rendered = to !== null && takesMarkup(field) ? render(to) : null;
    return [{ type: 'UserProfileChanged', data: { userId, fieldId: field.id, from, to, rendered } }];
  });
}

const takesMarkup = ({ type }: ProfileField): boolean =>
  type === PROFILE_FIELD_TYPES.SHORT_TEXT.id || type === PROFILE_FIELD_TYPES.LONG_TEXT.id;

function emailChanged(
  userId: number,
  user: UserState,
  email: string | undefined,
  state: UsersState,
  facts: UpdateUserFacts,
): (UserEmailChanged | AccountLinkEnded)[] {
  if (email === undefined || email === user.email) return [];
  if (user.bot) refuse('BOTS_KEEP_THEIR_ADDRESS');
  if (!facts.isOwner) refuse('OWNER_REQUIRED');
  if (!facts.mayChangeEmails) refuse('MAY_NOT_CHANGE_EMAILS');
  requireFreeAddress(state, email, userId);
  return [
    { type: 'UserEmailChanged', data: { userId, from: user.email, to: email } },
    ...linksEnded(state, userId, ['email', 'password'], 'address changed'),
  ];
}
