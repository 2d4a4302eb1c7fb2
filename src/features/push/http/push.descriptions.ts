import type { Description, Descriptions } from '../../../platform/http/openapi/described-api.js';
import { listOf, objectOf, text, textOrNull, whole, yesOrNo } from '../../../platform/http/openapi/schema.js';

const OWN = 'For people. At most 200 tokens.';
const OLDER = 'Devices that take encrypted notifications are registered with `POST /mobile_push/register`.';

const ADD_APPLE: Description = {
  summary: 'Add the token of an Apple device, which then gets notifications.',
  text: `${OWN} To add it again changes nothing but the login with which it goes. ${OLDER}`,
  parameters: {
    token: 'The token that the device has of Apple, in hexadecimal',
    appid: 'The id of the app that the token is for',
  },
};

const REMOVE_APPLE: Description = {
  summary: 'Remove the token of one of your Apple devices.',
  text: 'Refused if you have no such token.',
  parameters: { token: 'The token, as it was added' },
};

const ADD_GOOGLE: Description = {
  summary: 'Add the token of an Android device, which then gets notifications.',
  text: `${OWN} To add it again changes nothing but the login with which it goes. ${OLDER}`,
  parameters: { token: 'The token that the device has of Firebase' },
};

const REMOVE_GOOGLE: Description = {
  summary: 'Remove the token of one of your Android devices.',
  text: 'Refused if you have no such token.',
  parameters: { token: 'The token, as it was added' },
};

const TESTS = 'For people, at most 10 tests in a minute.';

const TEST: Description = {
  summary: 'Send a test notification to devices whose tokens you have added.',
  text: `${TESTS} Done if one of the devices is reached.`,
  parameters: { token: 'The token of the device. Default: all devices' },
};

const TEST_ENCRYPTED: Description = {
  summary: 'Send an encrypted test notification to devices that you have registered.',
  text: `${TESTS} Done if one of the devices is reached.`,
  parameters: { push_account_id: 'The id under which the device is registered. Default null: all devices' },
};

const REGISTER: Description = {
  summary: 'Register a device for encrypted notifications.',
  text: 'For people, if the server has a push service. At most 200 devices. The service accepts the device later or refuses it: the event `push_device` tells which. To register it again changes nothing, unless it has been refused.',
  parameters: {
    token_kind: '`apns` for an Apple device, `fcm` for an Android device',
    push_account_id: 'The id that the device has chosen: an integer of 64 bits, which may be sent as a text',
    push_public_key: 'The public X25519 key under which notifications are sealed, in Base64',
    bouncer_public_key: 'The public key of the push service under which the registration is sealed',
    encrypted_push_registration: 'The token of the device and what else the push service needs, sealed for it',
  },
};

const DEVICES: Description = {
  id: 'get-own-push-devices',
  tag: 'mobile',
  summary: 'List your devices that get notifications.',
  text: 'Tokens and keys are not shown.',
  answer: {
    push_devices: {
      ...listOf(
        objectOf({
          id: { ...text, description: 'Names the device when it is removed' },
          kind: { ...text, enum: ['apns', 'fcm'], description: 'Of Apple, or of Android' },
          is_encrypted: { ...yesOrNo, description: 'Whether its notifications are' },
          app_id: { ...textOrNull, description: 'Of a token of Apple; null: it is none' },
          push_account_id: { ...textOrNull, description: 'The id of an encrypted device; null: it is none' },
          status: {
            ...text,
            enum: ['pending', 'active', 'failed'],
            description: 'Whether the push service has accepted the device',
          },
          error_code: { ...textOrNull, description: 'Why it has not; null: it has, or has not answered' },
          registered_at: { ...whole, description: 'Seconds since 1970' },
          api_key_id: {
            ...textOrNull,
            description: 'The `id` in `GET /users/me/api_keys` of the login that added the device; null: not known',
          },
          is_current: { ...yesOrNo, description: 'Whether that is the login of this request' },
        }),
      ),
      description: 'In the order in which they were added',
    },
  },
};

const REMOVE_DEVICE: Description = {
  id: 'remove-own-push-device',
  tag: 'mobile',
  summary: 'Remove one of your devices, which then gets no notifications.',
  parameters: { device_id: 'The `id` of the device in `GET /users/me/push_devices`' },
  answer: {},
};

export const descriptions: Descriptions = {
  'POST /users/me/apns_device_token': ADD_APPLE,
  'DELETE /users/me/apns_device_token': REMOVE_APPLE,
  'POST /users/me/android_gcm_reg_id': ADD_GOOGLE,
  'DELETE /users/me/android_gcm_reg_id': REMOVE_GOOGLE,
  'POST /mobile_push/test_notification': TEST,
  'POST /mobile_push/e2ee/test_notification': TEST_ENCRYPTED,
  'POST /mobile_push/register': REGISTER,
  'GET /users/me/push_devices': DEVICES,
  'DELETE /users/me/push_devices/{device_id}': REMOVE_DEVICE,
};
