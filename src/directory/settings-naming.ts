import { type GroupSettingValue, groupsOf } from '../kernel/group-setting.js';
import { REALM_PERMISSIONS, type RealmPermission } from '../organization/domain/realm.settings.js';
import type { Directory } from './directory.js';

/** The organisation's permissions, and those of channels that are not archived, which are given to a group by name. */
export interface SettingsNaming {
  readonly realm: readonly string[];
  readonly channels: readonly { readonly channelId: number; readonly settings: readonly string[] }[];
}

/** Groups among those that permissions were just given to, which are deactivated. */
export const deactivatedAmong = (values: readonly GroupSettingValue[], directory: Directory): number[] =>
  values.flatMap(groupsOf).filter((groupId) => directory.groups.group(groupId)?.isDeactivated);

export function settingsNaming(groupId: number, directory: Directory): SettingsNaming {
  const naming = (values: Readonly<Record<string, GroupSettingValue>>): string[] =>
    Object.keys(values).filter((name) => groupsOf(values[name] as GroupSettingValue).includes(groupId));
  const realm = Object.keys(REALM_PERMISSIONS).filter((name) =>
    groupsOf(directory.settings[name as RealmPermission]).includes(groupId),
  );
  const channels = directory.allChannels().flatMap(({ _id: channelId, isArchived, permissions }) => {
    const settings = isArchived ? [] : naming(permissions);
    return settings.length > 0 ? [{ channelId, settings }] : [];
  });
  return { realm, channels };
}
