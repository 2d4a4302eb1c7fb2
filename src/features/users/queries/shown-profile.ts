import type { Directory } from '../../../directory/directory.js';
import type { UserRecord } from '../../../directory/directory.records.js';
import { PROFILE_FIELD_TYPES, type ProfileField } from '../../../events/organization/organization.settings.js';

/** Options of the current fields of type SELECT. */
const options = new WeakMap<ProfileField, ReadonlySet<string>>();

/** Removes profile values whose field or option no longer exists. */
export function withShownProfile(user: UserRecord, { organization }: Pick<Directory, 'organization'>): UserRecord {
  const entries = Object.entries(user.profile);
  if (entries.length === 0) return user;
  const fields = organization?.profileFields ?? [];
  const shown = entries.filter(([id, { value }]) => {
    const field = fields.find((one) => one.id === Number(id));
    return field !== undefined && holds(field, value);
  });
  return shown.length === entries.length ? user : { ...user, profile: Object.fromEntries(shown) };
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
