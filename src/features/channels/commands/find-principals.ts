import type { Directory } from '../../../directory/directory.js';
import type { UserRecord } from '../../../directory/directory.records.js';

/** The accounts of ids or addresses, in their order; null: no such account. */
export const findPrincipals = (
  named: readonly (number | string)[] | null,
  directory: Directory,
): readonly (UserRecord | null)[] =>
  (named ?? []).map((name) => (typeof name === 'number' ? directory.user(name) : directory.userByEmail(name)) ?? null);
