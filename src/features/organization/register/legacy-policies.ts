import {
  REALM_PERMISSIONS,
  type RealmPermissionSetting,
  type RealmSettings,
} from '../../../events/organization/realm.settings.js';
import { olderPolicyOf } from '../../../events/shared/group-setting.js';
import { namesOf } from '../../../events/shared/settings.js';

/** Gives permissions as the numbers that older clients know. A number never excludes users who have the permission. */
export const legacyPolicies = (settings: RealmSettings): Readonly<Record<string, number>> =>
  Object.fromEntries(
    namesOf(REALM_PERMISSIONS).flatMap((name) => {
      const { olderPolicy: older }: RealmPermissionSetting = REALM_PERMISSIONS[name];
      return older ? [[`realm_${older.name}`, olderPolicyOf(settings[name], older.numbers)]] : [];
    }),
  );
