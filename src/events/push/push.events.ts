import type { DomainEvent } from '../../platform/kernel/event.js';
import { defineEvent, type Upcaster } from '../../platform/kernel/event-definition.js';
import { concernsUser } from '../shared/concerned.js';

/** Version 1 does not say which API key the device was added with. */
const withoutApiKey: Upcaster = (data) => ({ ...data, apiKeyId: null });

/** In version 1, only devices that their service no longer knew were removed. */
const pushDeviceRemovedFrom1: Upcaster = (data) => ({ ...data, because: 'gone' });

/** Apple's service or Google's. */
export type TokenKind = 'apns' | 'fcm';

/** A device's token, under which the service reaches an app. Personal data, so it is sealed. */
export interface PushToken {
  /** Apple's are hexadecimal, in lower case. */
  readonly token: string;
  /** Id of the app; null for Google's tokens. */
  readonly appId: string | null;
}

/** Notifications are sent to a device's token. In the user's stream, `user-<id>`, like all events of push. */
export type PushTokenAdded = DomainEvent<
  'PushTokenAdded',
  {
    readonly userId: number;
    readonly kind: TokenKind;
    /** The content key: the event's id. */
    readonly keyId: string;
    /** null once the content key is destroyed. */
    readonly token: PushToken | null;
    /** Id of the API key that added it, as `GET /users/me/api_keys` names it; null: unknown. */
    readonly apiKeyId: string | null;
  }
>;

/** What ends the access of whoever may have added a device. */
export type Withdrawal = 'keys regenerated' | 'key ended' | 'password changed' | 'deactivated';

/** Notifications are no longer sent to a device's token. */
export type PushTokenRemoved = DomainEvent<
  'PushTokenRemoved',
  {
    readonly userId: number;
    readonly kind: TokenKind;
    /** The content key, which is destroyed too. */
    readonly keyId: string;
    /** `gone`: the service no longer knows the token. `replaced`: it was added again with another API key. */
    readonly because: 'asked' | 'gone' | 'replaced' | Withdrawal;
  }
>;

/** What a device sends to be registered for encrypted notifications. Standard base64. */
export interface PushRegistration {
  /** The device's X25519 key, under which its notifications are encrypted. */
  readonly publicKey: string;
  /** The X25519 key that `sealed` is encrypted under: the bouncer's, or the server's own. */
  readonly sealedUnder: string;
  /** Token, kind, time and app in a box that only the holder of that key can open. */
  readonly sealed: string;
}

/** A device asks for encrypted notifications, for the first time or after a failure. */
export type PushDeviceRegistered = DomainEvent<
  'PushDeviceRegistered',
  {
    readonly userId: number;
    /** A signed 64-bit integer in decimal, which a number cannot hold. */
    readonly pushAccountId: string;
    readonly kind: TokenKind;
    /** The content key of this registration: the event's id. */
    readonly keyId: string;
    /** null once the content key is destroyed. */
    readonly registration: PushRegistration | null;
    /** Id of the API key that registered it; null: unknown. */
    readonly apiKeyId: string | null;
  }
>;

/** A device gets encrypted notifications from now on. */
export type PushDeviceActivated = DomainEvent<
  'PushDeviceActivated',
  {
    readonly userId: number;
    readonly pushAccountId: string;
    /** The registration. */
    readonly keyId: string;
    /** The device's id at the bouncer; null if this server sends itself. */
    readonly deviceId: number | null;
  }
>;

/** A device could not be registered for encrypted notifications. */
export type PushDeviceFailed = DomainEvent<
  'PushDeviceFailed',
  {
    readonly userId: number;
    readonly pushAccountId: string;
    /** The registration, whose content key is destroyed too. */
    readonly keyId: string;
    /** A code of the API: `REQUEST_EXPIRED`. */
    readonly errorCode: string;
  }
>;

/** A device no longer gets encrypted notifications. */
export type PushDeviceRemoved = DomainEvent<
  'PushDeviceRemoved',
  {
    readonly userId: number;
    readonly pushAccountId: string;
    /** The registration, whose content key is destroyed too. */
    readonly keyId: string;
    /** `gone`: the service no longer knows the device. `replaced`: it had failed, and made place for another. */
    readonly because: 'asked' | 'gone' | 'replaced';
  }
>;

type PushTokenEvent = PushTokenAdded | PushTokenRemoved;
export type PushDeviceEvent = PushDeviceRegistered | PushDeviceActivated | PushDeviceFailed | PushDeviceRemoved;
export type PushEvent = PushTokenEvent | PushDeviceEvent;

export const pushEvents = [
  defineEvent<PushTokenAdded>({
    type: 'PushTokenAdded',
    version: 2,
    concerns: concernsUser,
    upcasters: { 1: withoutApiKey },
    sealed: { field: 'token', under: 'own key', shownTo: 'nobody' },
    keys: { keyId: 'seals' },
  }),
  defineEvent<PushTokenRemoved>({ type: 'PushTokenRemoved', concerns: concernsUser, keys: { keyId: 'ends' } }),
  defineEvent<PushDeviceRegistered>({
    type: 'PushDeviceRegistered',
    version: 2,
    concerns: concernsUser,
    upcasters: { 1: withoutApiKey },
    sealed: { field: 'registration', under: 'own key', shownTo: 'nobody' },
    keys: { keyId: 'seals' },
  }),
  defineEvent<PushDeviceActivated>({ type: 'PushDeviceActivated', concerns: concernsUser, keys: { keyId: 'names' } }),
  defineEvent<PushDeviceFailed>({ type: 'PushDeviceFailed', concerns: concernsUser, keys: { keyId: 'ends' } }),
  defineEvent<PushDeviceRemoved>({
    type: 'PushDeviceRemoved',
    version: 2,
    concerns: concernsUser,
    upcasters: { 1: pushDeviceRemovedFrom1 },
    keys: { keyId: 'ends' },
  }),
];
