import { createHmac } from 'node:crypto';
import { API_VERSION } from '../../kernel/api-version.js';
import { derivedId } from '../../kernel/derived-id.js';
import {
  type EncryptedPush,
  GONE,
  type PlainDevice,
  type PlainPush,
  type PushResult,
  type PushSender,
  type RegisteredDevice,
  type RegistrationResult,
  SENT,
} from '../push-sender.js';
import { BouncerApi, type BouncerSettings } from './bouncer-api.js';

/** The bouncer's numbers of the services. */
const TOKEN_KINDS = { apns: '1', fcm: '2' } as const;

type Unsent = Extract<PushResult, { readonly outcome: 'misconfigured' | 'later' }>;

/** Failures of a registration that the device has to mend. */
const REGISTRATION_CODES: readonly string[] = [
  'INVALID_BOUNCER_PUBLIC_KEY',
  'INVALID_ENCRYPTED_PUSH_REGISTRATION',
  'REQUEST_EXPIRED',
];

/** Sends by way of a bouncer, which has the credentials. */
export class BouncerSender implements PushSender {
  /** Whether the bouncer has taken the organization's particulars from this process. */
  private isIntroduced = false;
  private readonly api: BouncerApi;
  private readonly serverId: string;
  private readonly realmId: string;
  /** Tokens that the bouncer was told of by this process. */
  private readonly told = new Set<string>();

  constructor(private readonly settings: BouncerSettings) {
    this.api = new BouncerApi(settings);
    this.serverId = settings.orgId;
    this.realmId = derivedId('push-realm', settings.orgId);
  }

  async register({ pushAccountId, sealed, sealedUnder }: RegisteredDevice): Promise<RegistrationResult> {
    const refused = await this.introduce();
    if (refused) return refused;
    const answer = await this.api.postForm('push/e2ee/register', {
      realm_uuid: this.realmId,
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
    const refused = (await this.introduce()) ?? (await this.tell(device));
    if (refused) return refused;
    const { kind, token } = device;
    const { zulip, alert, sound, badge } = push.apple;
    const answer = await this.api.postJson('push/notify', {
      ...this.addressee(device),
      apns_payload: { alert: alert ?? '', sound: sound ?? null, badge: badge ?? 0, custom: { zulip } },
      gcm_payload: push.google,
      gcm_options: { priority: push.isUrgent ? 'high' : 'normal' },
      android_devices: kind === 'fcm' ? [token] : [],
      apple_devices: kind === 'apns' ? [token] : [],
    });
    if (answer.outcome !== 'answered') return answer;
    const deleted = (answer.body.deleted_devices ?? {}) as Readonly<Record<string, readonly string[] | undefined>>;
    return [...(deleted.android_devices ?? []), ...(deleted.apple_devices ?? [])].includes(token) ? GONE : SENT;
  }

  async sendEncrypted(device: RegisteredDevice, push: EncryptedPush): Promise<PushResult> {
    const { deviceId: device_id, kind } = device;
    if (device_id === null) return GONE;
    const refused = await this.introduce();
    if (refused) return refused;
    const { isUrgent, encrypted: payload } = push;
    const options =
      kind === 'fcm'
        ? { fcm_priority: isUrgent ? 'high' : 'normal' }
        : { http_headers: { apns_priority: isUrgent ? 10 : 5, apns_push_type: isUrgent ? 'alert' : 'background' } };
    const answer = await this.api.postJson('push/e2ee/notify', {
      realm_uuid: this.realmId,
      push_requests: [{ device_id, ...options, payload }],
    });
    if (answer.outcome !== 'answered') return answer;
    const gone = (answer.body.delete_device_ids ?? []) as readonly number[];
    return gone.includes(device_id) ? GONE : SENT;
  }

  async close(): Promise<void> {}

  /** Tells the bouncer of the organization, once per process: it knows no other. null: it knows the organization. */
  private async introduce(): Promise<Unsent | null> {
    if (this.isIntroduced) return null;
    const { orgKey, site } = this.settings;
    const realm = {
      id: 1,
      uuid: this.realmId,
      uuid_owner_secret: `zuliprealm_${createHmac('sha256', orgKey).update(this.realmId).digest('hex')}`,
      host: new URL(site).host,
      url: site,
      name: new URL(site).host,
      org_type: 0,
      date_created: 0,
      deactivated: false,
      is_system_bot_realm: false,
      authentication_methods: { Email: true },
    };
    const answer = await this.api.postForm('server/analytics', {
      realm_counts: '[]',
      installation_counts: '[]',
      realms: JSON.stringify([realm]),
      version: JSON.stringify(API_VERSION.zulip_version),
      api_feature_level: String(API_VERSION.zulip_feature_level),
    });
    if (answer.outcome === 'refused') return { outcome: 'misconfigured', reason: answer.reason };
    if (answer.outcome !== 'answered') return answer;
    this.isIntroduced = true;
    return null;
  }

  /** Tells the bouncer of a token, once per process: it sends only to tokens that it knows. null: it knows the token. */
  private async tell(device: PlainDevice): Promise<PushResult | null> {
    const { userId, kind, token, appId } = device;
    const key = `${userId} ${kind} ${token}`;
    if (this.told.has(key)) return null;
    const answer = await this.api.postForm('push/register', {
      server_uuid: this.serverId,
      ...this.addressee(device),
      user_id: String(userId),
      token,
      token_kind: TOKEN_KINDS[kind],
      ...(appId === null ? {} : { ios_app_id: appId }),
    });
    if (answer.outcome !== 'answered') return answer;
    this.told.add(key);
    return null;
  }

  private addressee({ userId }: PlainDevice): { user_uuid: string; user_id: number; realm_uuid: string } {
    return { user_uuid: derivedId('push-user', this.realmId, userId), user_id: userId, realm_uuid: this.realmId };
  }
}
