import { PROFILE_FIELD_TYPES, type ProfileField } from '../organization/domain/organization.settings.js';
import type { Directory } from './directory.js';
import type { UserRecord } from './directory.records.js';

/** What people have chosen in a field, by the options that it has now. */
const options = new WeakMap<ProfileField, ReadonlySet<string>>();

/**
 * The account with what its profile says today: what was filled in where the field, or the option, has been taken away
 * since is shown no more.
 */
export function withShownProfile(user: UserRecord, { organization }: Directory): UserRecord {
  const said = Object.entries(user.profile);
  if (said.length === 0) return user;
  const fields = organization?.profileFields ?? [];
  const shown = said.filter(([id, { value }]) => {
    const field = fields.find((one) => one.id === Number(id));
    return field !== undefined && holds(field, value);
  });
  return shown.length === said.length ? user : { ...user, profile: Object.fromEntries(shown) };
}

function holds(field: ProfileField, value: string): boolean {
  if (field.type !== PROFILE_FIELD_TYPES.SELECT.id) return true;
  let known = options.get(field);
  if (!known) {
    known = new Set(Object.keys(JSON.parse(field.fieldData) as object));
    options.set(field, known);
  }
  return known.has(value);
}
