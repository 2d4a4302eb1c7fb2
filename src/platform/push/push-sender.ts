import type { JsonObject } from '../kernel/json.js';

/** `apns`: Apple's service; `fcm`: Google's. */
export type PushKind = 'apns' | 'fcm';

/** A device that gets readable notifications. */
export interface PlainDevice {
  readonly userId: number;
  readonly kind: PushKind;
  readonly token: string;
  /** The app, of Apple's devices. */
  readonly appId: string | null;
}

/** A device that gets encrypted notifications. */
export interface RegisteredDevice {
  readonly userId: number;
  /** A signed 64-bit integer in decimal. */
  readonly pushAccountId: string;
  readonly kind: PushKind;
  /** X25519 key that the box is encrypted under, in standard base64. */
  readonly sealedUnder: string;
  /** Token, kind, time and app in an encrypted box, in standard base64. */
  readonly sealed: string;
  /** The device's id at the bouncer. */
  readonly deviceId: number | null;
}

interface PushOptions {
  /** True: shown at once, also on a device that saves power. */
  readonly isUrgent: boolean;
  /** At most 64 bytes. A device shows one of the notifications with the same id, if its service can tell. */
  readonly collapseId: string;
}

/** A notification in the forms of both services. */
export interface PlainPush extends PushOptions {
  readonly apple: {
    readonly alert?: { readonly title: string; readonly subtitle?: string; readonly body: string };
    readonly sound?: string;
    readonly badge?: number;
    /** The app's own fields. */
    readonly zulip: JsonObject;
  };
  readonly google: Readonly<Record<string, string>>;
}

/** A test, which a bouncer composes itself. */
export interface TestPush extends PlainPush {
  /** What every notification says about the organization and the account. */
  readonly base: JsonObject;
}

export interface EncryptedPush extends PushOptions {
  /** Standard base64. */
  readonly encrypted: string;
}

/** How sending one notification to one device has ended. */
export type PushResult =
  | { readonly outcome: 'sent' }
  /** The service no longer knows the device. `at`: since then, milliseconds since 1970; null: not known. */
  | { readonly outcome: 'gone'; readonly at: number | null; readonly isUnknownToBouncer?: true }
  /** The service will never take this notification. */
  | { readonly outcome: 'refused'; readonly reason: string }
  /** The administrator must act first: credentials, plan. */
  | { readonly outcome: 'misconfigured'; readonly reason: string }
  /** The service is away (`unreachable`), fails, or asks to come back. */
  | {
      readonly outcome: 'later';
      readonly isUnreachable: boolean;
      readonly reason: string;
      readonly retryAfterMs: number | null;
    };

export type RegistrationResult =
  | { readonly outcome: 'registered'; readonly deviceId: number | null }
  /** `errorCode`: a code of the API. */
  | { readonly outcome: 'refused'; readonly errorCode: string }
  | Extract<PushResult, { readonly outcome: 'misconfigured' | 'later' }>;

/** What the service says about the organization's right to push. */
export interface PushPermission {
  readonly isAllowed: boolean;
  /** When the right is expected to end, seconds since 1970; null: not known. */
  readonly endsAt: number | null;
}

/** A service's own record of tokens. It sends only to tokens in it. */
export interface TokenRegistry {
  /** Adds a token, if it is not known yet. */
  add(device: PlainDevice): Promise<PushResult>;
  remove(device: PlainDevice): Promise<PushResult>;
  removeAll(userId: number): Promise<PushResult>;
}

/** Sends notifications to mobile devices, each once per call. No method rejects. */
export interface PushSender {
  /** null: the service has no record of tokens. */
  readonly registry: TokenRegistry | null;
  /** Asks the service about the organization's right to push, which `newPermission` then tells. */
  askPermission(): Promise<void>;
  /** The last that the service has said about the right since the last call; null: nothing. */
  newPermission(): PushPermission | null;
  /** Asks the service to accept a device for encrypted notifications. */
  register(device: RegisteredDevice): Promise<RegistrationResult>;
  sendPlain(device: PlainDevice, push: PlainPush): Promise<PushResult>;
  /** Sends a test to a device. */
  sendTest(device: PlainDevice, push: TestPush): Promise<PushResult>;
  sendEncrypted(device: RegisteredDevice, push: EncryptedPush): Promise<PushResult>;
  close(): Promise<void>;
}

/** Nest token: a PushSender, or null if no service is configured. */
export const PUSH_SENDER = Symbol('PushSender');

export const SENT: PushResult = { outcome: 'sent' };
export const GONE: PushResult = { outcome: 'gone', at: null };

export const later = (
  reason: string,
  { isUnreachable = false, retryAfterMs = null }: { isUnreachable?: boolean; retryAfterMs?: number | null } = {},
): Extract<PushResult, { outcome: 'later' }> => ({ outcome: 'later', isUnreachable, reason, retryAfterMs });

/** Reads the header `Retry-After`: seconds, or a date. @returns milliseconds */
export function retryAfterOf(header: string | null, now: number = Date.now()): number | null {
  if (header === null) return null;
  const ms = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now;
  return Number.isFinite(ms) ? Math.max(0, ms) : null;
}
