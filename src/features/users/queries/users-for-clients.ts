import { avatarOf, avatarUrl } from '../../../directory/avatars.js';
import type { UserRecord } from '../../../directory/directory.records.js';
import { isAdministrator } from '../../../directory/permissions.js';
import { ROLES, type Role } from '../../../events/shared/role.js';

/** An account as the API returns it. */
export interface UserForClients {
  readonly user_id: number;
  readonly email: string;
  readonly delivery_email: string | null;
  readonly full_name: string;
  readonly role: Role;
  readonly is_owner: boolean;
  readonly is_admin: boolean;
  readonly is_guest: boolean;
  readonly is_bot: boolean;
  readonly bot_type: number | null;
  readonly bot_owner_id: number | null;
  readonly is_active: boolean;
  /** ISO 8601. */
  readonly date_joined: string;
  /** IANA name; empty if the user chose none. */
  readonly timezone: string;
  readonly avatar_url: string | null;
  readonly avatar_version: number;
  readonly profile_data?: Readonly<Record<string, { readonly value: string; readonly rendered_value?: string }>>;
}

export interface UserRecordOptions {
  /** The client makes gravatar URLs by itself. */
  readonly clientGravatar: boolean;
  /** Adds `profile_data`. */
  readonly customProfileFields: boolean;
}

/** Facts that both a UserRecord and the event of its creation have. */
type UserFacts = Pick<
  UserRecord,
  '_id' | 'email' | 'fullName' | 'role' | 'bot' | 'isActive' | 'createdAt' | 'profile' | 'settings' | 'avatar'
>;

export function userForClients(user: UserFacts, options: UserRecordOptions): UserForClients {
  return {
    user_id: user._id,
    email: user.email,
    delivery_email: user.email,
    full_name: user.fullName,
    role: user.role,
    is_owner: user.role === ROLES.owner,
    is_admin: isAdministrator(user),
    is_guest: user.role === ROLES.guest,
    is_bot: user.bot !== null,
    bot_type: user.bot?.type ?? null,
    bot_owner_id: user.bot?.ownerId ?? null,
    is_active: user.isActive,
    date_joined: new Date(user.createdAt).toISOString(),
    timezone: user.settings?.timezone ?? '',
    avatar_url: avatarUrl(user, options.clientGravatar),
    avatar_version: avatarOf(user).version,
    ...(options.customProfileFields && user.bot === null ? { profile_data: profileData(user.profile) } : {}),
  };
}

const profileData = (profile: UserRecord['profile']): UserForClients['profile_data'] =>
  Object.fromEntries(
    Object.entries(profile).map(([fieldId, { value, rendered }]) => [
      fieldId,
      rendered === null ? { value } : { value, rendered_value: rendered },
    ]),
  );
