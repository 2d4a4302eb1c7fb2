/** Roles by their words, as the API numbers them: the lower, the more one may. */
export const ROLES = { owner: 100, administrator: 200, moderator: 300, member: 400, guest: 600 } as const;
export type Role = (typeof ROLES)[keyof typeof ROLES];

/** In the order of what they may. */
export const ROLE_NAMES: readonly (readonly [string, Role])[] = Object.entries(ROLES);

export const roleName = (role: Role): string => ROLE_NAMES.find(([, one]) => one === role)?.[0] ?? String(role);

export const isAdministrator = ({ role }: { readonly role: Role }): boolean => role <= ROLES.administrator;
