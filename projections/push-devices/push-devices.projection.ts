import type {
  PushDeviceEvent,
  PushEvent,
  PushRegistration,
  PushToken,
  TokenKind,
} from '../../src/events/push/push.events.js';
import type { StoredDocument } from '../../src/platform/documents/document-store.js';
import type { Position } from '../../src/platform/kernel/position.js';
import { insert, removal } from '../../src/platform/read-models/projection.js';
import { type UserItem, userList } from '../../src/platform/read-models/user-list.js';
import { staticClientEvent } from '../client-events/client-event.js';
import { toldToOwner } from '../client-events/written.js';

/** A device's token for notifications that are not encrypted. */
export interface PushTokenDocument extends PushToken, StoredDocument {
  /** Id of the token's content key. */
  readonly _id: string;
  readonly userId: number;
  readonly kind: TokenKind;
  /** Milliseconds since 1970. */
  readonly addedAt: number;
  /** Id of the API key that added it; null: unknown. */
  readonly apiKeyId: string | null;
  readonly position: Position;
}

/** A device that has asked for encrypted notifications. */
export interface PushDeviceDocument extends UserItem {
  readonly pushAccountId: string;
  readonly kind: TokenKind;
  readonly status: 'pending' | 'active' | 'failed';
  readonly errorCode: string | null;
  /** The newest registration: the id of its content key. */
  readonly keyId: string;
  /** null once it has failed. */
  readonly registration: PushRegistration | null;
  /** The device's id at the bouncer. */
  readonly deviceId: number | null;
  /** Milliseconds since 1970. */
  readonly registeredAt: number;
  /** Id of the API key that registered it; null: unknown. */
  readonly apiKeyId: string | null;
}

export const PUSH_TOKENS = 'tokens';
export const PUSH_DEVICES = 'devices';

export const pushDevice = staticClientEvent<{
  readonly push_account_id: string;
  readonly status: 'pending' | 'active' | 'failed';
  readonly error_code?: string;
}>()({ kind: 'push_device', rank: 1024, part: 'push_device' });

/** The mobile devices of users. Tokens and registrations whose key is destroyed are left out. */
export const pushDevices = userList<PushEvent, PushDeviceDocument>({
  name: 'push-devices',
  version: 2,
  holdsContent: true,
  items: PUSH_DEVICES,
  indexes: [{ keys: { userId: 1 } }, { keys: { status: 1 } }],
  order: { _id: 1 },
  collections: { [PUSH_TOKENS]: { indexes: [{ keys: { userId: 1 } }] } },
  on: {
    PushTokenAdded: ({ data, metadata, position }) => {
      const { userId, kind, keyId: _id, token, apiKeyId } = data;
      if (token === null) return [];
      const document: PushTokenDocument = { _id, userId, kind, ...token, addedAt: metadata.at, apiKeyId, position };
      return [insert(PUSH_TOKENS, document)];
    },
    PushTokenRemoved: ({ data }) => [removal(PUSH_TOKENS, data.keyId)],
    PushDeviceRegistered: ({ data, metadata }, own) => {
      const { pushAccountId, kind, keyId, registration, apiKeyId } = data;
      return [
        own.put(pushAccountId, {
          pushAccountId,
          kind,
          status: 'pending',
          errorCode: null,
          keyId,
          registration,
          deviceId: null,
          registeredAt: metadata.at,
          apiKeyId,
        }),
      ];
    },
    PushDeviceActivated: ({ data }, own) => own.edit(data.pushAccountId, { status: 'active', deviceId: data.deviceId }),
    PushDeviceFailed: ({ data }, own) =>
      own.edit(data.pushAccountId, { status: 'failed', errorCode: data.errorCode, registration: null }),
    PushDeviceRemoved: ({ data }, own) => [own.remove(data.pushAccountId)],
  },
  told: toldToOwner<Exclude<PushDeviceEvent, { readonly type: 'PushDeviceRemoved' }>>({
    PushDeviceRegistered: (event, own) => [
      pushDevice.of(event, own, { push_account_id: event.data.pushAccountId, status: 'pending' }),
    ],
    PushDeviceActivated: (event, own) => [
      pushDevice.of(event, own, { push_account_id: event.data.pushAccountId, status: 'active' }),
    ],
    PushDeviceFailed: (event, own) => {
      const { pushAccountId: push_account_id, errorCode: error_code } = event.data;
      return [pushDevice.of(event, own, { push_account_id, status: 'failed', error_code })];
    },
  }),
});
