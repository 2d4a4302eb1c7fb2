import { describe, expect, it } from '@jest/globals';
import { CHANNEL_PERMISSIONS } from '../../src/events/channels/channels.settings.js';
import { SUBSCRIPTION_SETTINGS } from '../../src/events/channels/subscriptions.settings.js';
import { PLAIN_REALM_SETTINGS, REALM_PERMISSIONS } from '../../src/events/organization/realm.settings.js';
import { USER_SETTINGS } from '../../src/events/personal/user.settings.js';
import { permissionSetting } from '../../src/events/shared/group-setting.js';
import { defaultsOf, olderFlags, type SettingRow as Setting, settingsTable } from '../../src/events/shared/settings.js';
import { USER_GROUP_PERMISSIONS } from '../../src/events/user-groups/user-groups.settings.js';
import {
  flag,
  integer,
  isOfType,
  oneOf,
  oneOfNumbers,
  text,
  type ValueType,
} from '../../src/platform/kernel/value-type.js';

const unchecked: ValueType<number> = { form: 'json', checks: [] };

describe('a table of settings', () => {
  it('has one row for each setting, with its default', () => {
    const table = settingsTable<Setting>()({
      waiting_days: { type: integer({ min: 0 }), default: 3 },
      is_open: { type: flag, default: true },
    });
    expect(defaultsOf(table)).toEqual({ waiting_days: 3, is_open: true });
  });

  it('refuses a row without a check', () => {
    expect(() => settingsTable<Setting>()({ days: { type: unchecked, default: 1 } })).toThrow(
      'the setting days has no check',
    );
  });

  it.each<[string, Setting]>([
    ['too small a number', { type: integer({ min: 0, max: 6 }), default: -1 }],
    ['too large a number', { type: integer({ min: 0, max: 6 }), default: 7 }],
    ['not an integer', { type: integer({ min: 0, max: 6 }), default: 1.5 }],
    ['not a boolean', { type: flag, default: 'true' }],
    ['too long a text', { type: text(3), default: 'four' }],
    ['not one of the words', { type: oneOf(['all', 'none']), default: 'some' }],
    ['not one of the numbers', { type: oneOfNumbers([1, 2]), default: 3 }],
    ['undefined', { type: flag, default: undefined }],
  ])('refuses a default that is %s', (_, row) => {
    const rows: Record<string, Setting> = { row };
    expect(() =>
      settingsTable<Setting>()(rows as Record<string, { type: ValueType<unknown>; default: unknown }>),
    ).toThrow('the default of the setting row fails its own check');
  });

  it('refuses mistakes at compile time', () => {
    // @ts-expect-error the default is of another type than the row
    expect(() => settingsTable<Setting>()({ is_open: { type: flag, default: 1 } })).toThrow();
    // @ts-expect-error the row says something of which its table knows nothing
    expect(settingsTable<Setting>()({ is_open: { type: flag, default: true, chnagedBy: 'owners' } })).toBeDefined();
  });

  it('refuses a permission whose default is not allowed', () => {
    expect(() => permissionSetting('role:nobody', { allowNobody: false })).toThrow('role:nobody');
    expect(() => permissionSetting('role:everyone')).toThrow('role:everyone');
    expect(() => permissionSetting('creator', { requireSystemGroup: true })).toThrow('creator');
    expect(() => permissionSetting('role:owners', { allowedSystemGroups: ['role:moderators'] })).toThrow('role:owners');
  });

  it('gives the older flags of a value', () => {
    expect(olderFlags(PLAIN_REALM_SETTINGS, 'message_edit_history_visibility_policy', 'moves')).toEqual([
      ['allow_edit_history', true],
    ]);
    expect(olderFlags(SUBSCRIPTION_SETTINGS, 'is_muted', true)).toEqual([['in_home_view', false]]);
    expect(olderFlags(SUBSCRIPTION_SETTINGS, 'pin_to_top', true)).toEqual([]);
  });
});

describe('every setting', () => {
  const tables = { PLAIN_REALM_SETTINGS, REALM_PERMISSIONS, CHANNEL_PERMISSIONS, USER_GROUP_PERMISSIONS };
  const rows = Object.values({ ...tables, USER_SETTINGS, SUBSCRIPTION_SETTINGS }).flatMap((table) =>
    Object.entries<{ readonly type: ValueType<unknown> }>(table),
  );

  it.each(rows)('%s has a check that refuses something', (_, { type }) => {
    expect(type.checks).not.toHaveLength(0);
    expect(isOfType(Symbol('nothing'), type)).toBe(false);
  });
});
