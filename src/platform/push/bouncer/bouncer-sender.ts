import {
  type EncryptedPush,
  GONE,
  later,
  type PlainDevice,
  type PlainPush,
  type PushPermission,
  type PushResult,
  type PushSender,
  type RegisteredDevice,
  type RegistrationResult,
  SENT,
  type TestPush,
} from '../push-sender.js';
import type { BouncerSettings } from './bouncer-api.js';
import { BouncerTokens, TOKEN_KINDS } from './bouncer-tokens.js';
import { KnownOrganization } from './known-organization.js';

/** Failures of a registration that the device has to mend. */
const REGISTRATION_CODES: readonly string[] = [
  'INVALID_BOUNCER_PUBLIC_KEY',
  'INVALID_ENCRYPTED_PUSH_REGISTRATION',
  'REQUEST_EXPIRED',
];

/** The bouncer has taken a notification, and neither sent it nor given a reason. */
const NOT_SENT = later('the bouncer has sent it to no device');

/** Sends by way of a bouncer, which has the credentials. */
export class BouncerSender implements PushSender {
  readonly registry: BouncerTokens;
  private readonly bouncer: KnownOrganization;

  constructor(settings: BouncerSettings) {
    this.bouncer = new KnownOrganization(settings);
    this.registry = new BouncerTokens(this.bouncer);
  }

  askPermission(): Promise<void> {
    return this.bouncer.askPermission();
  }

  newPermission(): PushPermission | null {
    return this.bouncer.newPermission();
  }

  async register({ pushAccountId, sealed, sealedUnder }: RegisteredDevice): Promise<RegistrationResult> {
    const answer = await this.bouncer.postForm('push/e2ee/register', {
      realm_uuid: this.bouncer.realmId,
      push_account_id: pushAccountId,
      encrypted_push_registration: sealed,
      bouncer_public_key: sealedUnder,
    });
    if (answer.outcome === 'answered') return { outcome: 'registered', deviceId: Number(answer.body.device_id) };
    if (answer.outcome !== 'refused') return answer;
    if (REGISTRATION_CODES.includes(answer.code)) return { outcome: 'refused', errorCode: answer.code };
    return { outcome: 'misconfigured', reason: answer.reason };
  }

  async sendPlain(device: PlainDevice, push: PlainPush): Promise<PushResult> {
    const added = await this.registry.add(device);
    if (added.outcome !== 'sent') return added;
    const { kind, token } = device;
    const { zulip, alert, sound, badge } = push.apple;
    const answer = await this.bouncer.postJson('push/notify', {
      ...this.bouncer.addressee(device.userId),
      apns_payload: { alert: alert ?? '', sound: sound ?? null, badge: badge ?? 0, custom: { zulip } },
      gcm_payload: push.google,
      gcm_options: { priority: push.isUrgent ? 'high' : 'normal' },
      android_devices: kind === 'fcm' ? [token] : [],
      apple_devices: kind === 'apns' ? [token] : [],
    });
    if (answer.outcome !== 'answered') return answer;
    const { total_apple_devices, total_android_devices, deleted_devices } = answer.body;
    const deleted = (deleted_devices ?? {}) as Readonly<Record<string, readonly string[] | undefined>>;
    if ([...(deleted.android_devices ?? []), ...(deleted.apple_devices ?? [])].includes(token)) {
      this.registry.forget(device);
      return GONE;
    }
    return Number(kind === 'apns' ? total_apple_devices : total_android_devices) > 0 ? SENT : NOT_SENT;
  }

  /** The bouncer may have lost a token that this process told it of: then it is told once more. */
  async sendTest(device: PlainDevice, push: TestPush): Promise<PushResult> {
    for (let isAgain = false; ; isAgain = true) {
      const added = await this.registry.add(device);
      if (added.outcome !== 'sent') return added;
      const answer = await this.bouncer.postJson('push/test_notification', {
        ...this.bouncer.addressee(device.userId),
        token: device.token,
        token_kind: TOKEN_KINDS[device.kind],
        base_payload: push.base,
      });
      if (answer.outcome === 'answered') return SENT;
      if (answer.outcome !== 'refused' || answer.code !== 'INVALID_REMOTE_PUSH_DEVICE_TOKEN') return answer;
      this.registry.forget(device);
      if (isAgain) return { outcome: 'gone', at: null, isUnknownToBouncer: true };
    }
  }

  async sendEncrypted(device: RegisteredDevice, push: EncryptedPush): Promise<PushResult> {
    const { deviceId: device_id, kind } = device;
    if (device_id === null) return GONE;
    const { isUrgent, encrypted: payload } = push;
    const options =
      kind === 'fcm'
        ? { fcm_priority: isUrgent ? 'high' : 'normal' }
        : { http_headers: { apns_priority: isUrgent ? 10 : 5, apns_push_type: isUrgent ? 'alert' : 'background' } };
    const answer = await this.bouncer.postJson('push/e2ee/notify', {
      realm_uuid: this.bouncer.realmId,
      push_requests: [{ device_id, ...options, payload }],
    });
    if (answer.outcome !== 'answered') return answer;
    const { delete_device_ids, apple_successfully_sent_count, android_successfully_sent_count } = answer.body;
    if (((delete_device_ids ?? []) as readonly number[]).includes(device_id)) return GONE;
    const sent = Number(apple_successfully_sent_count ?? 0) + Number(android_successfully_sent_count ?? 0);
    return sent > 0 ? SENT : NOT_SENT;
  }

  async close(): Promise<void> {}
}
