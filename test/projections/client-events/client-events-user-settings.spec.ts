import { describe, expect, it } from '@jest/globals';
import { type ClientEventDocument, positionOf } from '../../../projections/client-events/client-events.documents.js';
import { clientEvents } from '../../../projections/client-events/client-events.projection.js';
import { directoryProjection } from '../../../projections/directory/directory.projection.js';
import type { UserSettingValue } from '../../../src/events/personal/user-settings.events.js';
import { ROLES } from '../../../src/events/shared/role.js';
import { history, type InHistory } from '../../support/events/history.js';
import { userCreated } from '../../support/events/users.js';
import { projected } from '../../support/projections/projected.js';

const people: InHistory[] = [
  ['organization', { type: 'OrganizationCreated', data: { name: 'Annals' } }],
  ['users', userCreated(1, { role: ROLES.owner })],
  ['users', userCreated(2, { email: 'two@example.com' })],
];
const changed = (property: string, from: UserSettingValue, to: UserSettingValue): InHistory => [
  'user-2',
  { type: 'UserSettingChanged', data: { userId: 2, property, from, to } },
];

const OWN = { userIds: [2] };
const OLDER = { unless: 'user_settings_object' };

/** The client events of the change, with their audiences. */
async function told(change: InHistory) {
  const { events } = await projected(clientEvents, history(...people, change));
  return (events as unknown as ClientEventDocument[])
    .filter(({ _id }) => positionOf(_id) === people.length + 1)
    .map(({ kind, audience, payload }) => [kind, audience, payload]);
}

describe('client events of user settings', () => {
  it('have a changed setting for its user alone', async () => {
    expect(await told(changed('web_font_size_px', 16, 14))).toEqual([
      ['user_settings/update', OWN, { body: { property: 'web_font_size_px', value: 14 } }],
    ]);
  });

  it('have the older form of a setting for clients without the capability user_settings_object', async () => {
    const user = 'two@example.com';
    expect(await told(changed('color_scheme', 1, 2))).toEqual([
      ['user_settings/update', OWN, { body: { property: 'color_scheme', value: 2 } }],
      ['update_display_settings', OWN, { body: { user, setting_name: 'color_scheme', setting: 2 }, ...OLDER }],
    ]);
    const body = { user, notification_name: 'enable_sounds', setting: false };
    expect(await told(changed('enable_sounds', true, false))).toEqual([
      ['user_settings/update', OWN, { body: { property: 'enable_sounds', value: false } }],
      ['update_global_notifications', OWN, { body, ...OLDER }],
    ]);
  });

  it('have the name of a language besides its code', async () => {
    const [[, , payload] = []] = await told(changed('default_language', 'en', 'de'));
    expect(payload).toEqual({ body: { property: 'default_language', value: 'de', language_name: 'German' } });
  });

  it('have a changed time zone for everybody, too', async () => {
    const person = { user_id: 2, email: 'two@example.com', timezone: 'Asia/Tokyo' };
    expect((await told(changed('timezone', '', 'Asia/Tokyo'))).at(-1)).toEqual([
      'realm_user/update',
      { everyone: true },
      { body: { person } },
    ]);
  });
});

it('the directory has the settings that a user chose', async () => {
  const changes = [changed('color_scheme', 1, 2), changed('color_scheme', 2, 3), changed('enter_sends', false, true)];
  const { users } = await projected(directoryProjection, history(...people, ...changes));
  expect((users as unknown as { settings?: object }[]).map(({ settings }) => settings)).toEqual([
    undefined,
    { color_scheme: 3, enter_sends: true },
  ]);
});
