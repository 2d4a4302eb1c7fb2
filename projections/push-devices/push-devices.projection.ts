import type { PushEvent, PushRegistration, PushToken, TokenKind } from '../../src/events/push/push.events.js';
import type { StoredDocument } from '../../src/platform/documents/document-store.js';
import type { Recorded } from '../../src/platform/kernel/event.js';
import { type Position, START } from '../../src/platform/kernel/position.js';
import { type Change, insert, type OwnDocuments, projection } from '../../src/platform/read-models/projection.js';

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
export interface PushDeviceDocument extends StoredDocument {
  readonly _id: string;
  readonly userId: number;
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
  readonly position: Position;
}

/** Written last. If it is read after a user's devices, its position is that of the devices. */
export interface PushOwnerDocument extends StoredDocument {
  /** The user's id. */
  readonly _id: number;
  /** Position of the last change of one of the user's tokens and devices. */
  readonly position: Position;
}

export const PUSH_TOKENS = 'tokens';
export const PUSH_DEVICES = 'devices';
export const PUSH_OWNERS = 'owners';

export const pushDeviceDocumentId = (userId: number, pushAccountId: string): string => `${userId}/${pushAccountId}`;

/** The mobile devices of users. Tokens and registrations whose key is destroyed are left out. */
export const pushDevices = projection<PushEvent>({
  name: 'push-devices',
  version: 2,
  holdsContent: true,
  collections: {
    [PUSH_TOKENS]: { indexes: [{ keys: { userId: 1 } }] },
    [PUSH_DEVICES]: { indexes: [{ keys: { userId: 1 } }, { keys: { status: 1 } }] },
    [PUSH_OWNERS]: {},
  },
  on: {
    PushTokenAdded: (event, documents) => {
      const { userId, kind, keyId: _id, token, apiKeyId } = event.data;
      if (token === null) return changed(event, [], documents);
      const { position, metadata } = event;
      const addedAt = metadata.at;
      const document: PushTokenDocument = { _id, userId, kind, ...token, addedAt, apiKeyId, position };
      return changed(event, [insert(PUSH_TOKENS, document)], documents);
    },
    PushTokenRemoved: (event, documents) => {
      const filter = { _id: event.data.keyId };
      return changed(event, [{ collection: PUSH_TOKENS, operation: { deleteOne: { filter } } }], documents);
    },
    PushDeviceRegistered: (event, documents) => {
      const { userId, pushAccountId, kind, keyId, registration, apiKeyId } = event.data;
      const document: PushDeviceDocument = {
        _id: pushDeviceDocumentId(userId, pushAccountId),
        userId,
        pushAccountId,
        kind,
        status: 'pending',
        errorCode: null,
        keyId,
        registration,
        deviceId: null,
        registeredAt: event.metadata.at,
        apiKeyId,
        position: event.position,
      };
      return changed(event, [insert(PUSH_DEVICES, document)], documents);
    },
    PushDeviceActivated: (event, documents) =>
      settled(event, { status: 'active', deviceId: event.data.deviceId }, documents),
    PushDeviceFailed: (event, documents) =>
      settled(event, { status: 'failed', errorCode: event.data.errorCode, registration: null }, documents),
    PushDeviceRemoved: (event, documents) => {
      const filter = { _id: pushDeviceDocumentId(event.data.userId, event.data.pushAccountId) };
      return changed(event, [{ collection: PUSH_DEVICES, operation: { deleteOne: { filter } } }], documents);
    },
  },
});

async function settled(
  event: Recorded<Extract<PushEvent, { readonly data: { readonly pushAccountId: string } }>>,
  update: Partial<PushDeviceDocument>,
  documents: OwnDocuments,
): Promise<readonly Change[]> {
  const _id = pushDeviceDocumentId(event.data.userId, event.data.pushAccountId);
  const before = await documents.collection<PushDeviceDocument>(PUSH_DEVICES).findOne({ _id });
  if (!before) return changed(event, [], documents);
  const after: PushDeviceDocument = { ...before, ...update, position: event.position };
  return changed(event, [insert(PUSH_DEVICES, after)], documents);
}

/** An event that was applied before changes nothing. */
async function changed(
  { data: { userId }, position }: Recorded<PushEvent>,
  changes: readonly Change[],
  documents: OwnDocuments,
): Promise<readonly Change[]> {
  const owner = await documents.collection<PushOwnerDocument>(PUSH_OWNERS).findOne({ _id: userId });
  if ((owner?.position ?? START) >= position) return [];
  const now: PushOwnerDocument = { _id: userId, position };
  return [...changes, insert(PUSH_OWNERS, now)];
}
