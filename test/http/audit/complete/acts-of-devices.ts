import { type AuditedAct, type AuditedActs, everybody, SEALED } from './audited-act.js';
import type { Scene } from './scene.js';

const KEY = Buffer.alloc(32, 7).toString('base64');

export const actsOfDevices: AuditedActs = {
  'POST /users/me/apns_device_token': adds('apns'),
  'POST /users/me/android_gcm_reg_id': adds('fcm'),
  'DELETE /users/me/apns_device_token': removes('apns'),
  'DELETE /users/me/android_gcm_reg_id': removes('fcm'),
  'POST /mobile_push/register': [
    everybody(async (scene, by) => {
      const registration = registrationOf(scene);
      const data = { userId: by.id, pushAccountId: registration.push_account_id, registration: SEALED };
      return { params: registration, becomes: { kind: 'PushDeviceRegistered', data } };
    }),
  ],
  'DELETE /users/me/push_devices/{device_id}': [
    everybody(async (scene, { role }) => {
      const by = await scene.user(role);
      await scene.done(by, 'POST', '/users/me/android_gcm_reg_id', { token: scene.name() });
      const { push_devices } = (await by.api.get('/users/me/push_devices')).body;
      return {
        by,
        path: `/users/me/push_devices/${push_devices[0].id}`,
        was: { kind: 'PushTokenAdded', data: { userId: by.id } },
        becomes: { kind: 'PushTokenRemoved', data: { userId: by.id, because: 'asked' } },
      };
    }),
  ],
  'POST /register': [
    everybody(async (_scene, by) => ({
      params: { event_types: ['message'], fetch_event_types: [] },
      becomes: { kind: 'QueueRegistered', data: { userId: by.id, eventTypes: ['message'] } },
    })),
  ],
  'DELETE /events': [
    everybody(async (scene, by) => {
      const queue = { event_types: ['message'], fetch_event_types: [] };
      const { queue_id } = await scene.done(by, 'POST', '/register', queue);
      return {
        params: { queue_id },
        was: { kind: 'QueueRegistered', data: { queueId: queue_id, userId: by.id } },
        becomes: { kind: 'QueueDeleted', data: { queueId: queue_id } },
      };
    }),
  ],
};

const TOKENS = {
  apns: { path: '/users/me/apns_device_token', more: { appid: 'org.example.app' } },
  fcm: { path: '/users/me/android_gcm_reg_id', more: {} },
} as const;

/** A token in hexadecimal, as Apple's are. */
const tokenOf = (scene: Scene): string => Buffer.from(scene.name()).toString('hex');

function adds(kind: keyof typeof TOKENS): readonly AuditedAct[] {
  return [
    everybody(async (scene, by) => ({
      params: { token: tokenOf(scene), ...TOKENS[kind].more },
      becomes: { kind: 'PushTokenAdded', data: { userId: by.id, kind, token: SEALED } },
    })),
  ];
}

function removes(kind: keyof typeof TOKENS): readonly AuditedAct[] {
  return [
    everybody(async (scene, by) => {
      const token = tokenOf(scene);
      await scene.done(by, 'POST', TOKENS[kind].path, { token, ...TOKENS[kind].more });
      return {
        params: { token },
        was: { kind: 'PushTokenAdded', data: { userId: by.id, kind } },
        becomes: { kind: 'PushTokenRemoved', data: { userId: by.id, kind, because: 'asked' } },
      };
    }),
  ];
}

const registrationOf = (scene: Scene) => ({
  token_kind: 'fcm',
  push_account_id: String(scene.later()),
  push_public_key: KEY,
  bouncer_public_key: KEY,
  encrypted_push_registration: KEY,
});
