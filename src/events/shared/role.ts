/** The roles of users, as the API numbers them. */
export const ROLES = { owner: 100, administrator: 200, moderator: 300, member: 400, guest: 600 } as const;
export type Role = (typeof ROLES)[keyof typeof ROLES];
export const ADMINISTRATORS: readonly Role[] = [ROLES.owner, ROLES.administrator];
