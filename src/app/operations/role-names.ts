import { ROLES, type Role } from '../../events/shared/role.js';

export type RoleName = keyof typeof ROLES;

export const ROLE_NAMES = ['owner', 'administrator', 'moderator', 'member', 'guest'] as const satisfies RoleName[];

export const roleName = (role: Role): string => ROLE_NAMES.find((name) => ROLES[name] === role) ?? `role ${role}`;
