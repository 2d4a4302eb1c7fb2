import { groups } from './all-groups.js';
import { isHolder, isHolders, type PermissionRules } from './rights.js';
import { ROLES } from './roles.js';
import { me } from './session.js';
import { organization, permissionRules } from './store.js';

type Kind = 'realm' | 'stream' | 'group';

/** Whether who is signed in has a permission, as far as all groups are known. The server decides: this is what to offer. */
export function isGiven<Name extends string>(
  kind: Kind,
  name: Name,
  { [name]: holders }: Partial<Readonly<Record<Name, unknown>>>,
): boolean {
  const rules: PermissionRules = permissionRules.value[kind];
  const reader = me.value;
  if (!reader || !isHolders(holders)) return false;
  if (reader.role === ROLES.guest && rules[name]?.allow_everyone_group !== true) return false;
  return isHolder(reader.userId, holders, groups.value);
}

export const isGivenEverywhere = (name: string): boolean => isGiven('realm', name, organization.value ?? {});
