import { expect } from '@jest/globals';
import { type AuditedAct, type AuditedActs, administrators, everybody, owners, SEALED } from './audited-act.js';

const NEW_PASSWORD = 'second secret of 31';
const HASH = '(hash)';

export const actsOfUsers: AuditedActs = {
  'POST /users': [
    owners(async (scene, by) => {
      if (by.role === 100) await scene.permitToCreate(by);
      const name = scene.name();
      const email = `${name}@example.com`;
      return {
        params: { email, password: NEW_PASSWORD, full_name: name },
        becomes: { kind: 'UserCreated', data: { email, fullName: name, passwordHash: HASH } },
      };
    }),
  ],
  'PATCH /users/{user}': [
    administrators(async (scene) => {
      const { id } = await scene.user();
      return {
        path: `/users/${id}`,
        params: { full_name: 'Renamed' },
        becomes: { kind: 'UserRenamed', data: { userId: id, from: expect.any(String), to: 'Renamed' } },
      };
    }),
    administrators(async (scene) => {
      const { id, email } = await scene.user();
      return {
        path: `/users/${email}`,
        params: { role: 300 },
        becomes: { kind: 'UserRoleChanged', data: { userId: id, from: 400, to: 300 } },
      };
    }),
    owners(async (scene) => {
      const { id } = await scene.user();
      return {
        path: `/users/${id}`,
        params: { role: 100 },
        becomes: { kind: 'UserRoleChanged', data: { userId: id, from: 400, to: 100 } },
      };
    }),
    administrators(async (scene) => {
      const field = await scene.done(scene.owner, 'POST', '/realm/profile_fields', {
        field_type: 1,
        name: scene.name(),
      });
      const { id } = await scene.user();
      const change = (value: string) => ({ profile_data: [{ id: field.id, value }] });
      await scene.done(scene.owner, 'PATCH', `/users/${id}`, change('Before'));
      const data = { userId: id, fieldId: field.id, from: 'Before', to: 'After' };
      return {
        path: `/users/${id}`,
        params: change('After'),
        becomes: { kind: 'UserProfileChanged', data },
      };
    }),
  ],
  'DELETE /users/{user_id}': [
    administrators(async (scene) => {
      const { id } = await scene.user();
      return { path: `/users/${id}`, becomes: { kind: 'UserDeactivated', data: { userId: id } } };
    }),
  ],
  'POST /users/{user_id}/reactivate': [
    administrators(async (scene) => {
      const { id } = await scene.user();
      await scene.done(scene.owner, 'DELETE', `/users/${id}`);
      return {
        path: `/users/${id}/reactivate`,
        was: { kind: 'UserDeactivated', data: { userId: id } },
        becomes: { kind: 'UserReactivated', data: { userId: id } },
      };
    }),
  ],
  'DELETE /users/me': [
    everybody(async (scene, { role }) => {
      const by = await scene.user(role);
      return { by, becomes: { kind: 'UserDeactivated', data: { userId: by.id } } };
    }),
  ],
  'POST /fetch_api_key': [
    everybody(async (scene, { role }) => {
      const by = await scene.person(role);
      return {
        by,
        params: { username: by.email, password: by.password },
        becomes: { kind: 'ApiKeyIssued', data: { userId: by.id, keyHash: HASH } },
      };
    }),
  ],
  'POST /session': [
    everybody(async (scene, { role }) => {
      const by = await scene.person(role);
      return {
        by,
        params: { username: by.email, password: by.password },
        becomes: { kind: 'ApiKeyIssued', data: { userId: by.id, keyHash: HASH } },
      };
    }),
  ],
  'DELETE /session': [
    everybody(async (scene, { role }) => {
      const by = await scene.person(role);
      return {
        by,
        headers: { Cookie: `annals_session=${by.apiKey}` },
        becomes: { kind: 'ApiKeysEnded', data: { userId: by.id, keyHashes: [HASH] } },
      };
    }),
  ],
  'DELETE /users/me/api_keys/{key_id}': [
    everybody(async (scene, { role }) => {
      const by = await scene.person(role);
      await scene.logIn(by.email, by.password);
      const { api_keys } = (await by.api.get('/users/me/api_keys')).body;
      const other = api_keys.find(({ is_current }: { is_current: boolean }) => !is_current);
      return {
        by,
        path: `/users/me/api_keys/${other.id}`,
        was: { kind: 'ApiKeyIssued', data: { userId: by.id } },
        becomes: { kind: 'ApiKeysEnded', data: { userId: by.id, keyHashes: [HASH] } },
      };
    }),
  ],
  'DELETE /users/{user_id}/api_keys/{key_id}': [
    administrators(async (scene) => {
      const other = await scene.person(400);
      const { api_keys } = (await other.api.get('/users/me/api_keys')).body;
      return {
        path: `/users/${other.id}/api_keys/${api_keys[0].id}`,
        was: { kind: 'ApiKeyIssued', data: { userId: other.id } },
        becomes: { kind: 'ApiKeysEnded', data: { userId: other.id, keyHashes: [HASH] } },
      };
    }),
  ],
  'POST /users/me/api_key/regenerate': [
    everybody(async (scene, { role }) => {
      const by = await scene.user(role);
      return { by, becomes: { kind: 'ApiKeysRegenerated', data: { userId: by.id, keyHash: HASH } } };
    }),
  ],
  'PATCH /settings': settings(),
  'PATCH /settings/display': settings(),
  'PATCH /settings/notifications': settings(),
};

function settings(): readonly AuditedAct[] {
  return [
    everybody(async (_scene, by) => {
      const { twenty_four_hour_time: was } = (await by.api.post('/register', { fetch_event_types: ['user_settings'] }))
        .body.user_settings;
      const data = { userId: by.id, property: 'twenty_four_hour_time', from: was, to: !was };
      return {
        params: { twenty_four_hour_time: !was },
        becomes: { kind: 'UserSettingChanged', data },
      };
    }),
    everybody(async (scene, { role }) => {
      const by = await scene.user(role);
      const { full_name: from } = (await by.api.get('/users/me')).body;
      const to = scene.name();
      return {
        by,
        params: { full_name: to },
        becomes: { kind: 'UserRenamed', data: { userId: by.id, from, to } },
      };
    }),
    everybody(async (scene, { role }) => {
      const by = await scene.person(role);
      return {
        by,
        params: { old_password: by.password, new_password: NEW_PASSWORD },
        was: { kind: 'UserCreated', data: { userId: by.id, passwordHash: HASH } },
        becomes: { kind: 'PasswordChanged', data: { userId: by.id, passwordHash: HASH } },
      };
    }),
    everybody(async (scene, { role }) => {
      const by = await scene.user(role);
      return {
        by,
        params: { email: `new${by.email}` },
        becomes: { kind: 'EmailChangeRequested', data: { userId: by.id, address: SEALED } },
      };
    }),
  ];
}
