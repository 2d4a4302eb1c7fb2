import type { Directory } from '../../directory/directory.js';
import type { UserRecord } from '../../directory/directory.records.js';

/** The accounts that ids or addresses name, in their order; null where there is none. */
export const findPrincipals = (
  named: readonly (number | string)[] | null,
  directory: Directory,
): readonly (UserRecord | null)[] =>
  (named ?? []).map((name) => (typeof name === 'number' ? directory.user(name) : directory.userByEmail(name)) ?? null);
