import { isAppId, isAppleToken, isGoogleToken } from '../kernel/device-token.js';
import { DAY_MS } from '../kernel/durations.js';
import type { AppleService } from './apple/apple-service.js';
import type { GoogleService } from './google/google-service.js';
import {
  type EncryptedPush,
  GONE,
  type PlainDevice,
  type PlainPush,
  type PushKind,
  type PushPermission,
  type PushResult,
  type PushSender,
  type RegisteredDevice,
  type RegistrationResult,
} from './push-sender.js';
import { type BoxKeys, openBox } from './sealed-box.js';

interface DirectSenderOptions {
  /** null: there are no credentials for it. */
  readonly apple: AppleService | null;
  readonly google: GoogleService | null;
  /** Keys that registrations are encrypted under, the newest first. */
  readonly boxKeys: readonly BoxKeys[];
}

/** What a device has put into its box. */
interface Registration {
  readonly token: string;
  readonly appId: string | null;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** Sends to Apple and Google with the organization's own credentials. */
export class DirectSender implements PushSender {
  readonly registry = null;
  private permission: PushPermission | null = null;

  constructor(private readonly options: DirectSenderOptions) {}

  /** Nobody but the organization decides. A bouncer may have denied it the right before. */
  async askPermission(): Promise<void> {
    this.permission = { isAllowed: true, endsAt: null };
  }

  newPermission(): PushPermission | null {
    const { permission } = this;
    this.permission = null;
    return permission;
  }

  async register(device: RegisteredDevice): Promise<RegistrationResult> {
    const keys = this.keysOf(device);
    if (!keys) return { outcome: 'refused', errorCode: 'INVALID_BOUNCER_PUBLIC_KEY' };
    const registration = await registrationIn(device, keys);
    if (!registration) return { outcome: 'refused', errorCode: 'INVALID_ENCRYPTED_PUSH_REGISTRATION' };
    if (Date.now() - registration.at > DAY_MS) return { outcome: 'refused', errorCode: 'REQUEST_EXPIRED' };
    return { outcome: 'registered', deviceId: null };
  }

  async sendPlain({ kind, token, appId }: PlainDevice, push: PlainPush): Promise<PushResult> {
    const { isUrgent, collapseId } = push;
    const { apple, google } = this.options;
    if (!isReachable(kind, token, appId)) return GONE;
    if (kind === 'fcm') return google ? google.send(token, push.google, isUrgent) : withoutCredentials(kind);
    if (!apple || appId === null) return withoutCredentials(kind);
    const { zulip, ...aps } = push.apple;
    const body = JSON.stringify({ aps, zulip });
    return apple.send({ token, topic: appId, body, pushType: 'alert', priority: isUrgent ? 10 : 5, collapseId });
  }

  sendTest(device: PlainDevice, push: PlainPush): Promise<PushResult> {
    return this.sendPlain(device, push);
  }

  async sendEncrypted(device: RegisteredDevice, push: EncryptedPush): Promise<PushResult> {
    const { pushAccountId, kind } = device;
    const { isUrgent, collapseId, encrypted } = push;
    const keys = this.keysOf(device);
    const registration = keys ? await registrationIn(device, keys) : null;
    // A key that was removed from the settings: the device must register again.
    if (!registration) return GONE;
    const { token, appId } = registration;
    const { apple, google } = this.options;
    if (kind === 'fcm') {
      const data = { push_account_id: pushAccountId, encrypted_data: encrypted };
      return google ? google.send(token, data, isUrgent) : withoutCredentials(kind);
    }
    if (!apple || appId === null) return withoutCredentials(kind);
    const aps = isUrgent
      ? '{"mutable-content":1,"alert":{"title":"New notification"}}'
      : '{"content-available":1,"mutable-content":1}';
    // The id may be greater than a number can hold.
    const body = `{"aps":${aps},"push_account_id":${pushAccountId},"encrypted_data":${JSON.stringify(encrypted)}}`;
    const pushType = isUrgent ? 'alert' : 'background';
    return apple.send({ token, topic: appId, body, pushType, priority: isUrgent ? 10 : 5, collapseId });
  }

  async close(): Promise<void> {
    await this.options.apple?.close();
  }

  private keysOf({ sealedUnder }: RegisteredDevice): BoxKeys | undefined {
    return this.options.boxKeys.find(({ publicKey }) => Buffer.from(publicKey).toString('base64') === sealedUnder);
  }
}

/** A device with another address would break the connection to its service. Older versions have stored such devices. */
const isReachable = (kind: PushKind, token: string, appId: string | null): boolean =>
  kind === 'fcm' ? isGoogleToken(token) : isAppleToken(token) && (appId === null || isAppId(appId));

const withoutCredentials = (kind: PushKind): PushResult => ({
  outcome: 'misconfigured',
  reason: `there are no credentials for ${kind === 'apns' ? 'Apple' : 'Google'}`,
});

async function registrationIn({ kind, sealed }: RegisteredDevice, keys: BoxKeys): Promise<Registration | null> {
  const text = await openBox(sealed, keys);
  if (text === null) return null;
  try {
    const { token, token_kind, timestamp, ios_app_id = null } = JSON.parse(text) as Readonly<Record<string, unknown>>;
    if (typeof token !== 'string' || typeof timestamp !== 'number' || token_kind !== kind) return null;
    const appId = typeof ios_app_id === 'string' ? ios_app_id : null;
    if (ios_app_id !== appId || (kind === 'apns') !== (appId !== null)) return null;
    return isReachable(kind, token, appId) ? { token, appId, at: timestamp * 1000 } : null;
  } catch {
    return null;
  }
}
