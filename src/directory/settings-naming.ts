import { REALM_PERMISSIONS } from '../events/organization/realm.settings.js';
import { type GroupSettingValue, groupsOf } from '../events/shared/group-setting.js';
import { namesOf } from '../events/shared/settings.js';
import type { Directory } from './directory.js';

/** Ids of the deactivated groups that the values name. */
export const deactivatedAmong = (values: readonly GroupSettingValue[], directory: Directory): number[] =>
  values.flatMap(groupsOf).filter((groupId) => directory.groups.group(groupId)?.isDeactivated);

/** Finds the permissions that name a group: the organization's, and those of channels that are not archived. */
export function settingsNaming(groupId: number, directory: Directory) {
  const naming = (values: Readonly<Record<string, GroupSettingValue>>): string[] =>
    Object.keys(values).filter((name) => groupsOf(values[name] as GroupSettingValue).includes(groupId));
  const realm = namesOf(REALM_PERMISSIONS).filter((name) => groupsOf(directory.settings[name]).includes(groupId));
  const channels = directory.allChannels().flatMap(({ _id: channelId, isArchived, permissions }) => {
    const settings = isArchived ? [] : naming(permissions);
    return settings.length > 0 ? [{ channelId, settings }] : [];
  });
  return { realm, channels };
}
